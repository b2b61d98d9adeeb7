// Directives that are not supported yet, in a function that a region calls.
// cflags: -fopenmp
static void part(double *a) {
    #pragma omp depobj(a) depend(in: a)
    a[0] = 1;
}

static void turn(double *a) {
    #pragma omp ordered
    a[0] = 1;
}

void f(int n, double *a) {
    #pragma omp target parallel map(tofrom: a[0:n])
    {
        part(a);
        turn(a);
    }
}

int main(void) { return 0; }
