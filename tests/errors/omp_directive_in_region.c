// Directives that a region cannot have yet, and one that it never can.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++) {
        #pragma omp critical
        a[0] += 1;
    }
    #pragma omp target map(tofrom: a[0:n])
    {
        #pragma omp parallel
        #pragma omp single
        a[0] = 1;
    }
}

int main(void) { return 0; }
