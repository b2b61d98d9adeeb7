// Variables and words that no declared reduction is for.
// cflags: -fopenmp
#pragma omp declare reduction(most: int: omp_out = omp_in > omp_out ? omp_in : omp_out)

void f(int n, double *a) {
    double s = 0;
#pragma omp target teams distribute parallel for reduction(most: s) map(to: a[0:n])
    for (int i = 0; i < n; i++) s += a[i];
}

void g(int n, const int *a, int *p) {
#pragma omp target teams distribute parallel for reduction(most: p) map(to: a[0:n])
    for (int i = 0; i < n; i++) *p += a[i];
}

int main(void) { return 0; }
