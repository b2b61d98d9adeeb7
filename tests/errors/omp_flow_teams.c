// What needs one team.
// cflags: -fopenmp
int a[10], n;

int main(void) {
    #pragma omp target teams distribute parallel for map(tofrom: n)
    for (int i = 0; i < 10; i++) {
        #pragma omp critical
        n += i;
    }
    #pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < 10; i++) {
        int k = 0;
        #pragma omp critical (elements)
        {
            k++;
            a[k] += i;
        }
    }
    return 0;
}
