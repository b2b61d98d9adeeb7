// A loop is unrolled by a constant number.
// cflags: -fopenmp
int sum(int *a, int n) {
    int s = 0;
    #pragma omp target map(to: a[0:n]) map(tofrom: s)
    {
        #pragma omp unroll partial(n)
        for (int i = 0; i < 8; i++)
            s += a[i];
    }
    return s;
}
