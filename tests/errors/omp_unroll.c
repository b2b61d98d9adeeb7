// An `unroll` that leaves no loop for the directive in front of it.
// cflags: -fopenmp
int sum(int *a, int n) {
    int s = 0;
    #pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(+: s)
    #pragma omp unroll full
    for (int i = 0; i < 8; i++)
        s += a[i];
    return s;
}
