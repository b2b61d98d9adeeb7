// Declared reductions that are not visible where a clause names them.
// cflags: -fopenmp

void f(int n, double *a) {
    double s = 0, t = 0;
    {
#pragma omp declare reduction(inner: double: omp_out += omp_in)
    }
#pragma omp target teams distribute parallel for reduction(inner: s) map(to: a[0:n])
    for (int i = 0; i < n; i++) s += a[i];
#pragma omp target teams distribute parallel for reduction(late: t) map(to: a[0:n])
    for (int i = 0; i < n; i++) t += a[i];
#pragma omp declare reduction(late: double: omp_out += omp_in)
}

int main(void) { return 0; }
