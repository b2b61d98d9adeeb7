// Directives for the host in a region.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target map(tofrom: a[0:n])
    {
        #pragma omp target update from(a[0:n])
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] = 1;
    }
}

int main(void) { return 0; }
