// Numbers of teams that only the region knows: of mapped variables, and of its own.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target map(tofrom: a[0:n], n)
    #pragma omp teams num_teams(n)
    #pragma omp distribute
    for (int i = 0; i < n; i++)
        a[i] = 1;
    #pragma omp target map(tofrom: a[0:n])
    {
        int own = n / 2;
        #pragma omp teams num_teams(own)
        #pragma omp distribute
        for (int i = 0; i < n; i++)
            a[i] = 1;
    }
}

int main(void) { return 0; }
