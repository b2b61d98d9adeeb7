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
#elif SPELLING == 3
#pragma acc routine seq
static void BlackScholesBody(float *callResult, float *putResult, float S, float X, float T, float R, float V)
{
    float sqrtT = sqrtf(T);
    float d1 = (logf(S / X) + (R + 0.5f * V * V) * T) / (V * sqrtT);
    float d2 = d1 - V * sqrtT;
    float CNDD1 = normal(d1), CNDD2 = normal(d2);
    float expRT = expf(-R * T);
    *callResult = S * CNDD1 - X * expRT * CNDD2;
    *putResult = X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1);
}
static void price(size_t optN, float *S, float *X, float *T, float *call, float *put)
{
#pragma acc kernels present(S[0:optN], X[0:optN], T[0:optN], call[0:optN], put[0:optN])
#pragma acc loop independent
    for (size_t opt = 0; opt < optN; opt++)
        BlackScholesBody(&call[opt], &put[opt], S[opt], X[opt], T[opt], 0.02f, 0.3f);
}
#elif SPELLING == 4
typedef struct { float spot, strike, years; } option;
static void price(unsigned n, const float *restrict s, const float *restrict k, const float *restrict t, float *restrict call, float *restrict put)
{
    const float r = 0.02f, v = 0.3f, drift = r + v * v / 2;
#pragma acc parallel loop num_gangs(1024) vector_length(256) default(present)
    for (unsigned i = 0; i < n; i++) {
        const option o = {s[i], k[i], t[i]};
        const float sd = v * sqrtf(o.years);
        float d[2];
        d[0] = (logf(o.spot / o.strike) + drift * o.years) / sd;
        d[1] = d[0] - sd;
        const float discounted = o.strike * expf(-r * o.years);
        call[i] = o.spot * normal(d[0]) - discounted * normal(d[1]);
        put[i] = discounted * normal(-d[1]) - o.spot * normal(-d[0]);
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
