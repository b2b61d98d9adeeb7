// Clauses that the construct does not take, or that are misspelt.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target teams distribute parallel for mapp(to: a[0:n]) num_gangs(4) reducton(+: n)
    for (int i = 0; i < n; i++)
        a[i] = 1;
    #pragma omp target map(to: a[0:n]) collapse(2)
    a[0] = 1;
    #pragma omp target update to(a[0:n]) map(a[0:n])
}

int main(void) { return 0; }
