// Directives that are not supported yet, in a function that a region calls.
// cflags: -fopenmp
static void parts(double *a) {
    #pragma omp sections
    {
        a[0] = 1;
        #pragma omp section
        a[1] = 1;
    }
}

void f(int n, double *a) {
    #pragma omp target parallel map(tofrom: a[0:n])
    parts(a);
}

int main(void) { return 0; }
