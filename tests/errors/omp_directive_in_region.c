// Directives and clauses that a region cannot have yet.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++) {
        #pragma omp workshare
        a[0] += 1;
    }
    #pragma omp target map(tofrom: a[0:n])
    {
        #pragma omp parallel
        {
            #pragma omp interop init(target: a)
            #pragma omp depobj(a) depend(in: a)
        }
    }
}

int main(void) { return 0; }
