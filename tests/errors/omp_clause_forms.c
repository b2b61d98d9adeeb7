// Forms of clauses and statements that are not supported yet, each with a way out.
// cflags: -fopenmp
void g(int n, double *a) {
    int at = 0;
    double x = 0;
    #pragma omp target parallel for collapse(2) linear(at) map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[at++] = i;
    #pragma omp target parallel for linear(x) map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = x++;
    #pragma omp target has_device_addr(a) map(tofrom: x)
    a[0] = x;
    #pragma omp target map(tofrom: x)
    {
        #pragma omp atomic compare
        if (x == 2 || x == 3) { x = 4; }
    }
}

int main(void) { return 0; }
