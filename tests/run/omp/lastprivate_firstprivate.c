// Variables that are `firstprivate` and `lastprivate`: each iteration starts with what was outside, and the last one leaves its value.
// cflags: -fopenmp
// launches: 6
#include <stdio.h>

struct pair { int index; double by[3]; };

int main(void)
{
    enum { n = 1500 };
    int x = 5, y = 6, z = 7, v[4] = {1, 2, 3, 4}, a[n], b[n], c[n];
    struct pair p = {-1, {1, 2, 3}};
#pragma omp target parallel for firstprivate(x, p, v) lastprivate(x, p, v) map(from: a)
    for (int i = 0; i < n; i++) {
        a[i] = x + (int)p.by[i % 3] + v[i % 4];
        if (i == n - 1) {
            x = i;
            p.index = i;
            p.by[0] += i;
            v[3] = 2 * i;
        }
    }
    printf("%d %d %g %d\n", x, p.index, p.by[0], v[3]);
#pragma omp target map(from: b, c) map(tofrom: y, z)
    {
#pragma omp parallel num_threads(64)
        {
#pragma omp for firstprivate(y) lastprivate(y)
            for (int i = 0; i < n; i++) {
                b[i] = y;
                if (i < n - 1) continue;
                y = i;
            }
        }
#pragma omp parallel for firstprivate(z) lastprivate(z)
        for (int i = 0; i < n; i++) {
            c[i] = z;
            if (i == n - 1) z = 3 * i;
        }
    }
    printf("%d %d\n", y, z);
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += a[i] != 5 + 1 + i % 3 + 1 + i % 4 || b[i] != 6 || c[i] != 7;
#pragma omp target parallel for firstprivate(x) lastprivate(x)
    for (int i = 0; i < 10; i++) x += i == 9;
    printf("%d %d\n", wrong, x);
    for (int i = 0; i < 3; i++) {
#pragma omp target parallel for firstprivate(y) lastprivate(y)
        for (int k = 0; k < 5; k++) y = k == 4 ? i : y;
    }
    printf("%d\n", y);
    return 0;
}
