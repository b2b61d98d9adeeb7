// Functions whose constructs must be those of the region's threads, and cannot be.
// cflags: -fopenmp
static void deeper(double *a, int n) {
    #pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = 1;
    if (n > 1)
        deeper(a, n / 2);
}

static int find(const double *a, int n) {
    for (int i = 0; i < n; i++) {
        if (a[i] > 0)
            return i;
        #pragma omp barrier
    }
    return -1;
}

void f(int n, double *a) {
    int found = 0;
    #pragma omp target map(tofrom: a[0:n])
    #pragma omp parallel
    deeper(a, n);
    #pragma omp target parallel map(tofrom: a[0:n], found)
    found = find(a, n);
}

int main(void) { return 0; }
