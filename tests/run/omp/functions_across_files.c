// Regions call functions of another file, which `declare target` names in both, in lists and in pairs.
// cflags: -fopenmp
// with: functions_across_files.part.c
// expect-output: functions_across_files.expect
// launches: 3
#include <stdio.h>

struct point { double x, y; };

#pragma omp declare target
double at(const double *a, int i);
extern struct point turned(struct point p, double by);
static inline double half(double x) { return x / 2; }
int calls;
#pragma omp end declare target

void step(double *to, double by);
#pragma omp declare target(step)

// The other file calls it.
#pragma omp begin declare target
double shifted(double x) { return x + half(1); }
#pragma omp end declare target

enum { n = 500 };

int main(void)
{
    double a[n], s = 0;
    struct point p[n];
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom: a) map(from: p)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) step(&a[i], 2);
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < n; i++) s += at(a, n - 1 - i);
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) {
            struct point q = {a[i], 1};
            p[i] = turned(q, 3);
        }
    }
    printf("%g\n", s);
    for (int i = 0; i < n; i += 99) printf("%g %g %g\n", a[i], p[i].x, p[i].y);
    return calls;
}
