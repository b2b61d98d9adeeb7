// A Lomb-Scargle periodogram: 8192 frequencies of 1024 samples at uneven times, float.
#include "../kernels.h"

enum { FREQUENCIES = 8192, SAMPLES = 1024 };

#if SPELLING == 1
static void periodogram(int m, int n, const float *restrict time, const float *restrict value, float *restrict power)
{
#pragma acc parallel loop present(time[0:n], value[0:n], power[0:m])
#pragma omp parallel for
    for (int f = 0; f < m; f++) {
        float w = 0.01f * (f + 1), yc = 0, ys = 0, cc = 0, cs = 0;
        for (int k = 0; k < n; k++) {
            float c = cosf(w * time[k]), s = sinf(w * time[k]);
            yc += value[k] * c;
            ys += value[k] * s;
            cc += c * c;
            cs += c * s;
        }
        float ss = n - cc, tau = atan2f(2 * cs, cc - ss) / (2 * w), ct = cosf(w * tau), st = sinf(w * tau);
        float a = ct * yc + st * ys, b = ct * ys - st * yc;
        power[f] = 0.5f * (a * a / (ct * ct * cc + 2 * ct * st * cs + st * st * ss) + b * b / (ct * ct * ss - 2 * ct * st * cs + st * st * cc));
    }
}
#else
struct sums { float yc, ys, cc, cs; };

static void periodogram(long m, long n, float *time, float *value, float *power)
{
#pragma acc parallel loop gang vector_length(128) present(time[0:n], value[0:n], power[0:m])
#pragma omp parallel for
    for (long f = 0; f < m; ++f) {
        float w = 0.01f * (f + 1), yc = 0, ys = 0, cc = 0, cs = 0;
#pragma acc loop vector reduction(+ : yc, ys, cc, cs)
#pragma omp simd reduction(+ : yc, ys, cc, cs)
        for (long k = 0; k < n; ++k) {
            float x = w * time[k], c = cosf(x), s = sinf(x);
            yc += value[k] * c;
            ys += value[k] * s;
            cc += c * c;
            cs += c * s;
        }
        struct sums t = {yc, ys, cc, cs};
        float ss = n - t.cc, tau = atan2f(2 * t.cs, t.cc - ss) / (2 * w), ct = cosf(w * tau), st = sinf(w * tau);
        float a = ct * t.yc + st * t.ys, b = ct * t.ys - st * t.yc;
        float first = a * a / (ct * ct * t.cc + 2 * ct * st * t.cs + st * st * ss);
        float second = b * b / (ct * ct * ss - 2 * ct * st * t.cs + st * st * t.cc);
        power[f] = 0.5f * (first + second);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = FREQUENCIES >> args.shift, n = SAMPLES;
    float *time = NEW(float, n), *value = NEW(float, n), *power = NEW(float, m);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        time[k] = k * 0.25f + number(k);
        value[k] = sin(1.3 * time[k]) + number(3 * k) - 0.5;
    }
#pragma acc enter data copyin(time[0:n], value[0:n]) create(power[0:m])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        periodogram(m, n, time, value, power);
#pragma acc update self(power[0:m])
    for (int f = 0; f < m; f++)
        sum += power[f] > 10;
    report("lomb", t.best, sum);
    return 0;
}
