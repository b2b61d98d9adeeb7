// Pairs of uniform deviates from a congruential generator of 46 bits, 4096 streams of 512, that become normal deviates: their sums, and
// how many fall into each of ten square rings.
#include "../kernels.h"

enum { STREAMS = 4096, PAIRS = 512, RINGS = 10 };

#if SPELLING == 1
#define R23 (1.0 / 8388608.0)
#define T23 8388608.0
#define R46 (R23 * R23)
#define T46 (T23 * T23)

static inline double next(double *x, double a)
{
    double a1 = (int)(R23 * a), a2 = a - T23 * a1, x1 = (int)(R23 * *x), x2 = *x - T23 * x1, t1 = a1 * x2 + a2 * x1;
    double z = t1 - T23 * (int)(R23 * t1), t3 = T23 * z + a2 * x2;
    *x = t3 - T46 * (int)(R46 * t3);
    return R46 * *x;
}

static void deviates(int streams, int pairs, const double *restrict seed, double sums[2], double *restrict rings)
{
    double sx = 0, sy = 0, q[RINGS] = {0};
#pragma acc parallel loop reduction(+ : sx, sy, q) present(seed[0:streams])
#pragma omp parallel for reduction(+ : sx, sy, q)
    for (int s = 0; s < streams; s++) {
        double x = seed[s];
        for (int k = 0; k < pairs; k++) {
            double u = 2 * next(&x, 1220703125.0) - 1, v = 2 * next(&x, 1220703125.0) - 1, t = u * u + v * v;
            if (t <= 1) {
                double f = sqrt(-2 * log(t) / t), a = u * f, b = v * f;
                int ring = (int)fmax(fabs(a), fabs(b));
                q[ring] += 1;
                sx += a;
                sy += b;
            }
        }
    }
    sums[0] = sx;
    sums[1] = sy;
    for (int k = 0; k < RINGS; k++)
        rings[k] = q[k];
}
#else
static void deviates(size_t streams, size_t pairs, double *seed, double sums[2], double *rings)
{
    double sx = 0, sy = 0;
    const unsigned long long mask = (1ull << 46) - 1;
    for (int k = 0; k < RINGS; ++k)
        rings[k] = 0;
#pragma acc data copy(rings[0:RINGS])
    {
#pragma acc parallel present(seed[0:streams]) reduction(+ : sx) reduction(+ : sy)
#pragma acc loop gang vector reduction(+ : sx) reduction(+ : sy)
#pragma omp parallel for reduction(+ : sx, sy, rings[0:RINGS])
        for (size_t s = 0; s < streams; ++s) {
            unsigned long long x = (unsigned long long)seed[s];
            size_t k = pairs;
            while (k-- > 0) {
                x = x * 1220703125ull & mask;
                double u = ldexp((double)x, -45) - 1;
                x = x * 1220703125ull & mask;
                double v = ldexp((double)x, -45) - 1;
                double t = u * u + v * v;
                if (t > 1)
                    continue;
                double f = sqrt(-2 * log(t) / t);
                u *= f;
                v *= f;
                double larger = fabs(u) > fabs(v) ? fabs(u) : fabs(v);
#pragma acc atomic update
                rings[(size_t)larger]++;
                sx += u;
                sy += v;
            }
        }
    }
    sums[0] = sx;
    sums[1] = sy;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int streams = STREAMS >> args.shift;
    double *seed = NEW(double, streams), sums[2], rings[RINGS], sum = 0;
    for (int s = 0; s < streams; s++)
        seed[s] = (double)((271828183ull + 2654435761ull * s * 65539) & ((1ull << 46) - 1));
#pragma acc enter data copyin(seed[0:streams])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        deviates(streams, PAIRS, seed, sums, rings);
    for (int k = 0; k < RINGS; k++)
        sum += rings[k] * (k + 1);
    report("ep", t.best, sum + fabs(sums[0]) + fabs(sums[1]));
    return 0;
}
