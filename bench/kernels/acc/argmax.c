// The largest of 2^25 floats and the first place where it stands, in two reductions.
#include "../kernels.h"

enum { ELEMENTS = 1 << 25 };

#if SPELLING == 1
static int largest(int n, const float *restrict a)
{
    float most = -1e30f;
    int where = n;
#pragma acc parallel loop reduction(max : most) present(a[0:n])
#pragma omp parallel for simd reduction(max : most)
    for (int i = 0; i < n; i++)
        most = fmaxf(most, a[i]);
#pragma acc parallel loop reduction(min : where) present(a[0:n])
#pragma omp parallel for simd reduction(min : where)
    for (int i = 0; i < n; i++)
        if (a[i] == most && i < where)
            where = i;
    return where;
}
#elif SPELLING == 3
static int largest(unsigned n, float *v)
{
    float vmax = v[0];
    unsigned pos = n;
#pragma acc kernels present(v[0:n])
    {
#pragma acc loop independent reduction(max : vmax)
        for (unsigned k = 0; k < n; k++)
            if (v[k] > vmax)
                vmax = v[k];
#pragma acc loop independent reduction(min : pos)
        for (unsigned k = 0; k < n; k++) {
            unsigned candidate = v[k] == vmax ? k : n;
            pos = candidate < pos ? candidate : pos;
        }
    }
    return pos;
}
#elif SPELLING == 4
enum { RUNS = 1 << 14 };
static int largest(long n, const float *restrict a)
{
    static float value[RUNS];
    static int place[RUNS];
#pragma acc parallel loop gang vector vector_length(256) present(a[0:n]) copyout(value, place)
    for (int t = 0; t < RUNS; t++) {
        float best = -1e30f;
        int at = -1;
        for (long i = t; i < n; i += RUNS)
            if (a[i] > best) {
                best = a[i];
                at = (int)i;
            }
        value[t] = best;
        place[t] = at;
    }
    float best = value[0];
    int at = place[0];
    for (int t = 1; t < RUNS; t++)
        if (value[t] > best || (value[t] == best && place[t] < at))
            best = value[t], at = place[t];
    return at;
}
#else
static int largest(size_t n, float *a)
{
    float most = a[0];
    long where = (long)n;
#pragma acc kernels loop independent reduction(max : most) present(a[0:n])
#pragma omp parallel for simd reduction(max : most)
    for (size_t i = 0; i < n; i++)
        most = a[i] > most ? a[i] : most;
#pragma acc parallel loop gang vector reduction(min : where) present(a[0:n])
#pragma omp parallel for simd reduction(min : where)
    for (size_t i = 0; i < n; i++) {
        long candidate = a[i] < most ? (long)n : (long)i;
        where = candidate < where ? candidate : where;
    }
    return (int)where;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ELEMENTS >> args.shift, where = 0;
    float *a = NEW(float, n);
    FILL(a, n, 1);
#pragma acc enter data copyin(a[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        where = largest(n, a);
    report("argmax", t.best, where);
    return 0;
}
