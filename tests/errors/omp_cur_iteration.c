// The iteration before this one is known by its number only in one loop with a constant step.
// cflags: -fopenmp
int chain(int *a, int n) {
    #pragma omp target map(tofrom: a[0:n])
    #pragma omp parallel for ordered(2)
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 2; j++) {
            #pragma omp ordered doacross(sink: omp_cur_iteration - 1)
            a[i] += a[i - 1];
        }
    return a[n - 1];
}
