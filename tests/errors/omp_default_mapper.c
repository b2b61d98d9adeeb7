// A mapper that every object of its type would have.
// cflags: -fopenmp
struct part { int n; double *cells; };
#pragma omp declare mapper(struct part v) map(v, v.cells[0:v.n])
#pragma omp declare mapper(none: struct part v)

void f(struct part *s)
{
    #pragma omp target map(tofrom: s[0:1])
    s->n = 1;
}
