// Sections of `map` leave nothing out.
// cflags: -fopenmp
void f(int *p, int n)
{
    #pragma omp target map(tofrom: p[0:n:2])
    p[0] = n;
}
