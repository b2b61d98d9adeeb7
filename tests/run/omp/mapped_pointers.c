// A pointer that is mapped itself, beside a section that it leads to: the device's pointer leads to the device's section.
// cflags: -fopenmp
#include <stdio.h>
#include <stdlib.h>

enum { n = 10 };
static int *global;

static void by_other(int *q, int by)
{
#pragma omp target map(q, q[:n])
    for (int i = 0; i < n; i++) q[i] += by;
}

int main(void)
{
    int *p = calloc(n, sizeof *p), *first = p;
#pragma omp target map(p, p[:n])
    p[1] = 5;
    printf("%d %d\n", p[1], p == first);
#pragma omp target map(p) map(tofrom: p[0:n])
    {
        int *q = p + 2;
        *q = p[1] + 1;
    }
    printf("%d %d\n", first[2], first[1]);
    by_other(p, 10);
#pragma omp target data map(p, p[2:4])
    {
#pragma omp target
        for (int i = 2; i < 6; i++) p[i] *= 2;
    }
    for (int i = 0; i < n; i++) printf("%d ", p[i]);
    printf("%d\n", p == first);
    global = p + 1;
#pragma omp target enter data map(to: global, global[:4])
#pragma omp target
    for (int i = 0; i < 4; i++) global[i] += 100;
#pragma omp target exit data map(release: global) map(from: global[:4])
    for (int i = 0; i < n; i++) printf("%d ", p[i]);
    printf("%d\n", global == first + 1);
    return 0;
}
