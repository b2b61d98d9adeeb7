// Objects whose mapper cannot be applied.
// cflags: -fopenmp
struct part { int n; double *cells; };
struct whole { struct part inner, of[3]; };
#pragma omp declare mapper(struct part v) map(v, v.cells[0:v.n])

void members(struct whole *w, int n)
{
    #pragma omp target map(tofrom: w->inner)
    w->inner.n = 1;
    #pragma omp target update from(w->of[0:2])
    #pragma omp target enter data map(to: w->inner.cells[0:n])
}

void others(struct part *p, int n)
{
    struct part s[2][2];
    #pragma omp target map(tofrom: p[0:n]) nowait
    p->n = 1;
    #pragma omp target
    s[0][1].n = 1;
    #pragma omp target map(tofrom: p)
    n = 1;
}
