// The last assignment of what is no scalar, and of loops of which no thread can do all.
// cflags: -fopenmp
void f(int n, int *a)
{
    struct { int x; } s = {0};
    int x = 0;
    #pragma omp target parallel for lastprivate(conditional: s) map(to: a[0:n])
    for (int i = 0; i < n; i++)
        if (a[i])
            s.x = i;
    #pragma omp target teams map(to: a[0:n]) map(tofrom: x)
    #pragma omp distribute lastprivate(conditional: x)
    for (int i = 0; i < n; i++)
        if (a[i])
            x = i;
}
