// Clauses that are not supported yet, each with a way out.
// cflags: -fopenmp
void f(int n, double *a) {
    int last = 0;
    #pragma omp target teams distribute parallel for map(to: a[0:n]) lastprivate(conditional: last)
    for (int i = 0; i < n; i++)
        a[i] = last = i;
    #pragma omp target parallel map(tofrom: a[0:n]) copyin(last) nowait
    a[0] = 1;
    #pragma omp target map(mapper(default), tofrom: a[0:n])
    a[0] = 1;
}

int main(void) { return 0; }
