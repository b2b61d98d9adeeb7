// Map types in the wrong place, and words that are none.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target map(release: a[0:n])
    a[0] = 1;
    #pragma omp target enter data map(from: a[0:n])
    #pragma omp target exit data map(to: a[0:n]) device(0) device(1)
    #pragma omp target data map(tofrm: a[0:n])
    a[0] = 1;
    #pragma omp target data
    a[0] = 1;
    #pragma omp target update if(n)
}

int main(void) { return 0; }
