// What the constructs that say who does something, and when, must not be.
// cflags: -fopenmp
int a[10], n, s;

static void later(void) {
    #pragma omp ordered
    n++;
}

int main(void) {
    int t = 0;
    #pragma omp target
    {
        #pragma omp section
        n++;
        #pragma omp sections
        n++;
        #pragma omp parallel for
        for (int i = 0; i < 10; i++) {
            #pragma omp ordered
            n++;
        }
        #pragma omp parallel
        {
            #pragma omp single copyprivate(t) nowait
            t = 1;
            #pragma omp single copyprivate(n)
            n = 1;
            #pragma omp scan inclusive(s)
            #pragma omp for reduction(inscan, +: s)
            for (int i = 0; i < 10; i++)
                s += a[i];
        }
        later();
    }
    #pragma omp target teams distribute parallel for ordered
    for (int i = 0; i < 10; i++) {
        #pragma omp ordered
        n += i;
    }
    #pragma omp target teams distribute parallel for reduction(inscan, +: s)
    for (int i = 0; i < 10; i++) {
        s += a[i];
        #pragma omp scan inclusive(s)
        a[i] = s;
    }
    return 0;
}
