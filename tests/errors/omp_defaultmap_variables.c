// Variables that `defaultmap` does not let be without a clause.
// cflags: -fopenmp
int v[4];

int main(void) {
    int x = 1, *p = v;
    #pragma omp target defaultmap(tofrom: pointer)
    p++;
    #pragma omp target defaultmap(none)
    v[0] = x;
    return 0;
}
