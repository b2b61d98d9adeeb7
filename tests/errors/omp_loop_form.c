// Loops that are not in canonical form, and none at all.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; a[i] > 0; i++)
        a[i] = 1;
    #pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

int main(void) { return 0; }
