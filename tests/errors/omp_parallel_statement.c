// A statement of a parallel region that each thread would execute.
// cflags: -fopenmp
void f(int n, double *a) {
    #pragma omp target parallel map(tofrom: a[0:n])
    {
        #pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = 1;
        a[n - 1] = 2;
    }
}

int main(void) { return 0; }
