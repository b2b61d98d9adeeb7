// Directives and clauses that a region cannot have yet.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++) {
        #pragma omp critical
        a[0] += 1;
    }
    #pragma omp target map(tofrom: a[0:n])
    {
        #pragma omp parallel
        {
            double mine;
            #pragma omp single copyprivate(mine)
            mine = a[0];
            #pragma omp sections
            a[0] += mine;
        }
    }
}

int main(void) { return 0; }
