// Directives for the threads of a team in functions that a region calls.
// cflags: -fopenmp
static void fill(double *a, int n) {
    #pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

static void meet(double *a) {
    #pragma omp barrier
    #pragma omp single
    a[0] = 1;
    #pragma omp master
    a[1] = 1;
}

void f(int n, double *a) {
    #pragma omp target map(tofrom: a[0:n])
    #pragma omp parallel
    fill(a, n);
    #pragma omp target map(tofrom: a[0:n])
    fill(a, n);
    #pragma omp target parallel map(tofrom: a[0:n])
    meet(a);
}

int main(void) { return 0; }
