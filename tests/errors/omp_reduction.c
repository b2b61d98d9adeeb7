// Reductions that there are not.
// cflags: -fopenmp
void f(int n, double *a) {
    double s = 0;
    #pragma omp target teams distribute parallel for reduction(plus: s) map(to: a[0:n])
    for (int i = 0; i < n; i++)
        s += a[i];
    #pragma omp target teams distribute parallel for reduction(inscan, +: s) map(to: a[0:n])
    for (int i = 0; i < n; i++)
        s += a[i];
}

int main(void) { return 0; }
