// What a `linear` variable starts with is read by all threads before the last iteration leaves its value.
// cflags: -fopenmp
#include <stdio.h>
int main(void)
{
    int n = 1000, a = 1, b = 1, c = 1, s = 0;
#pragma omp target map(tofrom: a, b, c, s)
    {
#pragma omp parallel num_threads(128)
        {
#pragma omp for linear(a: 2)
            for (int i = 0; i < n; i++) { if (a < 0) s = 1; a += 2; }
        }
#pragma omp parallel for linear(b: 2) num_threads(128)
        for (int i = 0; i < n; i++) { if (b < 0) s = 1; b += 2; }
    }
#pragma omp target parallel for linear(c: 3) map(tofrom: c)
    for (int i = 0; i < n; i++) { if (c < 0) s = 1; c += 3; }
    printf("%d %d %d\n", a, b, c);
}
