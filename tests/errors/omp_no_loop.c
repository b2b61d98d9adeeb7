// A loop construct without a loop.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    { a[0] = 1; }
}

int main(void) { return 0; }
