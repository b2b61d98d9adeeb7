// A mapper that maps nothing.
// cflags: -fopenmp
struct part { int n; double *cells; };
#pragma omp declare mapper(none: struct part v)

void f(struct part *s)
{
    #pragma omp target map(tofrom: s[0:1])
    s->n = 1;
}
