// Mappers and iterators that mean more than one directive can say.
// cflags: -fopenmp
struct part { int n; double *cells; };
#pragma omp declare mapper(some: struct part v) map(v, v.cells[0:v.n])

void f(int n, struct part *s, double **rows)
{
    #pragma omp target data map(mapper(some), tofrom: s[0:n])
    ;
    #pragma omp target enter data map(mapper(other), to: s[0:1])
    #pragma omp target update to(mapper(other): s[0:1])
    #pragma omp target update from(mapper(some), iterator(i = 0:n): s[i + 1])
}
