// Objects whose mapper cannot be applied.
// cflags: -fopenmp
struct part { int n; double *cells; };
struct whole { struct part inner, of[3], in[2][2]; };
#pragma omp declare mapper(struct part v) map(v, v.cells[0:v.n])
// The second has further members of these names.
struct list { int n; struct part *parts; };
struct numbers { double *inner; };
#pragma omp declare mapper(struct list l) map(l, l.parts[0:l.n])

void members(struct whole *w, int n)
{
    #pragma omp target map(tofrom: w->inner)
    w->inner.n = 1;
    #pragma omp target update from(w->in[0:1][0:2])
    #pragma omp target enter data map(to: w->inner.cells[0:n])
}

void others(struct part *p, struct list *l, int n)
{
    struct part s[2][2];
    #pragma omp target
    s[0][1].n = 1;
    #pragma omp target map(tofrom: p)
    n = 1;
    #pragma omp target map(tofrom: l[0])
    l->n = 1;
}
