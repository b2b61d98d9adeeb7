// Regions and data directives in constructs of the host that ask for a word about each variable.
// cflags: -fopenmp
// launches: 5
#include <stdio.h>

int main(void) {
    int n = 10, here = 3;
    int a[10] = {0};
    double s = 0;
    float *p = 0, storage[10] = {0};
    p = storage;
    #pragma omp parallel default(none) shared(a, n, s, p) firstprivate(here) num_threads(4)
    {
        #pragma omp single
        {
            #pragma omp target map(tofrom: a[0:n]) map(tofrom: s)
            for (int i = 0; i < n; i++) {
                a[i] = i + here;
                s += i;
            }
        }
        #pragma omp single
        {
            #pragma omp target enter data map(to: p[0:n])
            #pragma omp target data map(tofrom: a) use_device_ptr(p)
            {
                #pragma omp target teams distribute parallel for is_device_ptr(p)
                for (int i = 0; i < 10; i++) {
                    a[i]++;
                    p[i] = a[i] * 0.5f;
                }
                #pragma omp target update from(a)
            }
            #pragma omp target exit data map(from: p[0:n])
        }
        #pragma omp single
        #pragma omp task default(none) shared(a) firstprivate(n)
        #pragma omp target map(tofrom: a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += 2;
    }
    #pragma omp parallel for default(none) firstprivate(n) shared(a)
    for (int t = 0; t < 2; t++) {
        #pragma omp target map(tofrom: a[5 * t:5])
        for (int i = 0; i < 5; i++)
            a[5 * t + i] *= 2;
    }
    for (int i = 0; i < 10; i++)
        printf("%d %g\n", a[i], storage[i]);
    printf("%g\n", s);
    return 0;
}
