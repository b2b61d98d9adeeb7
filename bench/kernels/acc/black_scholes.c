// Prices of options by Black and Scholes, float, 2^22 of them.
#include "../kernels.h"

enum { N = 1 << 22 };

#pragma acc routine seq
static inline float normal(float x) { return 0.5f * (1 + erff(x * 0.70710678f)); }

#if SPELLING == 1
static void price(int n, const float *restrict s, const float *restrict k, const float *restrict t,
                  float *restrict call, float *restrict put)
{
    const float rate = 0.02f, sigma = 0.3f;
#pragma acc parallel loop present(s[0:n], k[0:n], t[0:n], call[0:n], put[0:n])
#pragma omp parallel for simd
    for (int i = 0; i < n; i++) {
        float root = sigma * sqrtf(t[i]);
        float d1 = (logf(s[i] / k[i]) + (rate + 0.5f * sigma * sigma) * t[i]) / root, d2 = d1 - root;
        float later = k[i] * expf(-rate * t[i]);
        call[i] = s[i] * normal(d1) - later * normal(d2);
        put[i] = later * normal(-d2) - s[i] * normal(-d1);
    }
}
#else
typedef struct {
    float call, put;
} prices;

#pragma acc routine seq
static prices both(float s, float k, float t, float rate, float sigma)
{
    prices p;
    float root = sigma * sqrtf(t);
    float d1 = (logf(s / k) + (rate + 0.5f * sigma * sigma) * t) / root, d2 = d1 - root;
    float later = k * expf(-rate * t);
    p.call = s * normal(d1) - later * normal(d2);
    p.put = later * normal(-d2) - s * normal(-d1);
    return p;
}

static void price(size_t n, float *s, float *k, float *t, float *call, float *put)
{
#pragma acc parallel loop gang worker vector present(s[0:n], k[0:n], t[0:n], call[0:n], put[0:n])
#pragma omp parallel for simd
    for (size_t i = 0; i < n; i++) {
        prices p = both(s[i], k[i], t[i], 0.02f, 0.3f);
        call[i] = p.call, put[i] = p.put;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift;
    float *s = NEW(float, n), *k = NEW(float, n), *t = NEW(float, n), *call = NEW(float, n), *put = NEW(float, n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        s[i] = 5 + 25 * number(3 * i);
        k[i] = 1 + 99 * number(3 * i + 1);
        t[i] = 0.25f + 9.75f * number(3 * i + 2);
    }
#pragma acc enter data copyin(s[0:n], k[0:n], t[0:n]) create(call[0:n], put[0:n])
    struct watch w = watch(args.repeats);
    while (lap(&w))
        price(n, s, k, t, call, put);
#pragma acc update self(call[0:n], put[0:n])
    SUM(sum, call, n);
    SUM(sum, put, n);
    report("black_scholes", w.best, sum);
    return 0;
}
