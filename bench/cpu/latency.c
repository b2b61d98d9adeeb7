// Cost of a region: empty, with 8 present arrays, and with a loop over all cores; and of one look-up in a present
// table with a million mappings. The median of many, in nanoseconds.
// Built by accrue and, for comparison of the loop, by gcc -fopenmp.
#include "bench.h"
#include <string.h>
#ifndef _OPENMP
#include <openacc.h>
#endif

#define BATCHES 200
#define BATCH 100

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v)
{
    qsort(v, BATCHES, sizeof *v, by_size);
    return v[BATCHES / 2];
}

#define MEASURE(name, ...)                                             \
    do {                                                               \
        double times[BATCHES];                                         \
        for (int warm = 0; warm < BATCH; warm++) {                     \
            __VA_ARGS__                                                \
        }                                                              \
        for (int b = 0; b < BATCHES; b++) {                            \
            double begin = now();                                      \
            for (int t = 0; t < BATCH; t++) {                          \
                __VA_ARGS__                                            \
            }                                                          \
            times[b] = (now() - begin) / BATCH;                        \
        }                                                              \
        printf("%s %.0f\n", name, 1e9 * median(times));                \
    } while (0)

#ifndef _OPENMP
static void empty(void)
{
#pragma acc parallel
    {
    }
}

static void present8(int n, float *a, float *b, float *c, float *d, float *e, float *f, float *g, float *h)
{
#pragma acc parallel present(a[0:n], b[0:n], c[0:n], d[0:n], e[0:n], f[0:n], g[0:n], h[0:n])
    {
    }
}

#define MAPPINGS 1000000
#define SPACING 64

static char *million(void)
{
    char *base = get((size_t)MAPPINGS * SPACING);
    for (size_t k = 0; k < MAPPINGS; k++)
        acc_create(base + k * SPACING, SPACING / 2);
    return base;
}

static int missed;

static void look_up(char *base)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    char *address = base + (size_t)(state >> 8) % MAPPINGS * SPACING;
    missed += !acc_is_present(address, SPACING / 2);
}
#endif

static void all_cores(int n, float *a)
{
#ifdef _OPENMP
#pragma omp parallel for
#else
#pragma acc parallel loop gang present(a[0:n])
#endif
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

int main(void)
{
    int n = 64;
    float *p[8];
    for (int k = 0; k < 8; k++) {
        p[k] = get((size_t)n * sizeof(float));
        memset(p[k], 0, (size_t)n * sizeof(float));
#ifndef _OPENMP
        float *q = p[k];
#pragma acc enter data copyin(q[0:n])
#endif
    }
    MEASURE("all_cores", all_cores(n, p[0]););
#ifndef _OPENMP
    MEASURE("empty", empty(););
    MEASURE("present8", present8(n, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]););
    char *base = million();
    MEASURE("look_up", look_up(base););
    return missed != 0;
#else
    return 0;
#endif
}
