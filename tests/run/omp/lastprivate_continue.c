// Iterations that `continue` ends leave their values, too.
// cflags: -fopenmp
// launches: 5
#include <stdio.h>

struct pair { int index, sum; };

static void shared_out(const int *a, int n)
{
    int last = -1, found = 5;
    struct pair p = {0, 0};
#pragma omp target teams distribute parallel for lastprivate(last, p) map(to: a[0:n])
    for (int i = 0; i < n; i++) {
        last = i;
        p.index = i;
        p.sum = 0;
        for (int k = 0; k < 5; k++) {
            if (k == 2) continue;
            p.sum += a[i] + k;
        }
        if (a[i] % 3 == 0) continue;
        switch (i % 4) {
        case 1: last = -i; break;
        case 3: continue;
        default: last = 2 * i;
        }
        p.sum = -p.sum;
    }
#pragma omp target parallel for simd lastprivate(found) map(to: a[0:n])
    for (int i = 0; i < n; i++) {
        found = 3 * a[i];
        if (a[i] > n / 2) continue;
        found++;
    }
    printf("%d %d %d %d\n", last, p.index, p.sum, found);
}

static void joined(int n)
{
    int x = 0, i, j;
#pragma omp target teams distribute parallel for collapse(2) lastprivate(x, i, j)
    for (i = 0; i < n; i++)
        for (j = 0; j < 7; j++) {
            x = i * j;
            if (j > 3) continue;
            x = -1;
        }
    printf("%d %d %d\n", x, i, j);
}

static void in_region(const int *a, int n)
{
    int last = 0, moved = 1;
#pragma omp target map(to: a[0:n]) map(tofrom: last, moved)
#pragma omp parallel
    {
#pragma omp for lastprivate(last)
        for (int i = 0; i < n; i++) {
            last = a[i];
            if (last % 2) continue;
            last /= 2;
        }
#pragma omp for linear(moved: 2)
        for (int i = 0; i < n; i++) {
            if (moved % 5 == 0) continue;
        }
    }
    printf("%d %d\n", last, moved > 0);
}

int main(void)
{
    enum { n = 997 };
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i * 31 % 1009;
    shared_out(a, n);
    shared_out(a, n - 3);
    joined(9);
    in_region(a, n);
    in_region(a, n - 1);
    return 0;
}
