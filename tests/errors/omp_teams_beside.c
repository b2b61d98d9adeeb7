// Statements beside `teams` in a `target`.
// cflags: -fopenmp
void f(int n, double *a) {
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
