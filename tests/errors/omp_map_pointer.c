// A pointer without a section.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target map(tofrom: a)
    a[0] = 1;
    #pragma omp target enter data map(to: a)
}

int main(void) { return 0; }
