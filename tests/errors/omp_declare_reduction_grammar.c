// How a reduction is not declared.
// cflags: -fopenmp
#pragma omp declare reduction(far: int)
#pragma omp declare reduction(near: int: omp_out += omp_in) initial(omp_priv = 0)

void f(int n, double *a) {
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++) a[i] = i;
}

int main(void) { return 0; }
