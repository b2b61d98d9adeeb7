// A number of teams that only the region knows.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target map(tofrom: a[0:n])
    #pragma omp teams num_teams(n)
    #pragma omp distribute
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

int main(void) { return 0; }
