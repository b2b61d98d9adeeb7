// Conditions of inner constructs.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target parallel for map(tofrom: a[0:n]) if(teams: n > 3)
    for (int i = 0; i < n; i++)
        a[i] = 1;
    #pragma omp target map(tofrom: a[0:n])
    #pragma omp teams distribute parallel for if(n > 3)
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

int main(void) { return 0; }
