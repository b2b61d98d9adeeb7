// Of 2^22 records the keys between two bounds, in any order: places by an atomic counter, and a total.
#include "../kernels.h"

enum { RECORDS = 1 << 22 };

#if SPELLING == 1
static int select_keys(int n, const float *restrict key, float low, float high, float *restrict out, double *total)
{
    int found = 0;
    double sum = 0;
#pragma acc parallel loop copy(found) reduction(+ : sum) present(key[0:n], out[0:n])
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < n; k++)
        if (key[k] >= low && key[k] < high) {
            int at;
#pragma acc atomic capture
#pragma omp atomic capture
            at = found++;
            out[at] = key[k];
            sum += key[k];
        }
    *total = sum;
    return found;
}
#else
typedef struct { unsigned long long found; double sum; } result;

static int select_keys(size_t n, float *key, float low, float high, float *out, double *total)
{
    result r = {0, 0};
#pragma acc data copy(r) present(key[0:n], out[0:n])
#pragma acc parallel loop gang vector
#pragma omp parallel for
    for (size_t k = 0; k < n; ++k) {
        float x = key[k];
        if (x < low || !(x < high))
            continue;
        unsigned long long at;
#pragma acc atomic capture
#pragma omp atomic capture
        {
            at = r.found;
            r.found += 1;
        }
        out[at] = x;
#pragma acc atomic
#pragma omp atomic
        r.sum += x;
    }
    *total = r.sum;
    return r.found;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = RECORDS >> args.shift, found = 0;
    float *key = NEW(float, n), *out = NEW(float, n);
    double sum = 0, total = 0;
    FILL(key, n, 1);
#pragma acc enter data copyin(key[0:n]) create(out[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        found = select_keys(n, key, 0.25f, 0.5f, out, &total);
#pragma acc update self(out[0:n])
    SUM(sum, out, found);
    report("compact", t.best, sum + total + found);
    return 0;
}
