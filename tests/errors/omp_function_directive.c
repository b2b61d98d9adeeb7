// A worksharing directive in a function that a region calls.
// cflags: -fopenmp
static void fill(double *a, int n) {
    #pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

void f(int n, double *a) {
    #pragma omp target map(tofrom: a[0:n])
    #pragma omp parallel
    fill(a, n);
    #pragma omp target map(tofrom: a[0:n])
    fill(a, n);
}

int main(void) { return 0; }
