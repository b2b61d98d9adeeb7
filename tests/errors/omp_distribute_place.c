// distribute without teams, and a statement beside teams.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target map(tofrom: a[0:n])
    #pragma omp distribute
    for (int i = 0; i < n; i++)
        a[i] = 1;
    #pragma omp target map(tofrom: a[0:n])
    {
        a[0] = 1;
        #pragma omp teams
        #pragma omp distribute
        for (int i = 0; i < n; i++)
            a[i] = 1;
    }
}

int main(void) { return 0; }
