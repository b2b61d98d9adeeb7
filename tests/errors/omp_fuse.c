// Loops that are not made of others yet: the compiler may say nothing.
// cflags: -fopenmp
int sum(int *a, int n) {
    int s = 0;
    #pragma omp fuse
    {
        for (int i = 0; i < n; i++)
            s += a[i];
        for (int i = 0; i < n; i++)
            a[i] = s;
    }
    return s;
}
