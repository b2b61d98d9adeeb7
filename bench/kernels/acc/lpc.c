// Linear prediction of 8192 frames of 512 samples that overlap by half: a window, 17 autocorrelations, and Durbin's recursion for 16
// coefficients and the error of each.
#include "../kernels.h"

enum { FRAMES = 8192, LENGTH = 512, HOP = 256, ORDER = 16 };

#if SPELLING == 1
static void predict(int frames, int n, const float *restrict signal, const float *restrict window, float *restrict out)
{
#pragma acc parallel loop gang vector_length(128) present(signal[0:n], window[0:LENGTH], out[0:frames * (ORDER + 1)])
#pragma omp parallel for
    for (int f = 0; f < frames; f++) {
        float x[LENGTH];
        double r[ORDER + 1], a[ORDER + 1];
#pragma acc loop vector
        for (int k = 0; k < LENGTH; k++)
            x[k] = signal[f * HOP + k] * window[k];
#pragma acc loop seq
        for (int lag = 0; lag <= ORDER; lag++) {
            double sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int k = lag; k < LENGTH; k++)
                sum += (double)x[k] * x[k - lag];
            r[lag] = sum;
        }
        double error = r[0];
        for (int i = 1; i <= ORDER; i++) {
            double k = r[i];
            for (int j = 1; j < i; j++)
                k += a[j] * r[i - j];
            k = -k / error;
            a[i] = k;
            for (int j = 1; j <= i / 2; j++) {
                double low = a[j] + k * a[i - j];
                a[i - j] += k * a[j];
                a[j] = low;
            }
            error *= 1 - k * k;
        }
        out[f * (ORDER + 1)] = error;
        for (int i = 1; i <= ORDER; i++)
            out[f * (ORDER + 1) + i] = a[i];
    }
}
#else
#pragma acc routine vector
static double correlate(const float *x, unsigned lag)
{
    double sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (unsigned k = 0; k < LENGTH - lag; ++k)
        sum += (double)x[k] * (double)x[k + lag];
    return sum;
}

// Durbin's recursion: the coefficients of each order are those of the order before, with themselves in reverse added.
#pragma acc routine seq
static double durbin(const double *r, double *a)
{
    double error = r[0], before[ORDER + 1];
    for (unsigned i = 1; i <= ORDER; ++i) {
        double sum = r[i];
        for (unsigned j = 1; j < i; ++j) {
            before[j] = a[j];
            sum += before[j] * r[i - j];
        }
        const double k = -sum / error;
        for (unsigned j = 1; j < i; ++j)
            a[j] = before[j] + k * before[i - j];
        a[i] = k;
        error -= error * k * k;
    }
    return error;
}

static void predict(size_t frames, size_t n, float *signal, float *window, float (*out)[ORDER + 1])
{
    float x[LENGTH];
#pragma acc parallel loop gang private(x) present(signal[0:n], window[0:LENGTH], out[0:frames])
#pragma omp parallel for private(x)
    for (size_t f = 0; f < frames; ++f) {
        double r[ORDER + 1], a[ORDER + 1];
        const float *own = signal + f * HOP;
#pragma acc loop vector
        for (unsigned k = 0; k < LENGTH; ++k)
            x[k] = own[k] * window[k];
        for (unsigned lag = 0; lag <= ORDER; ++lag)
            r[lag] = correlate(x, lag);
        out[f][0] = durbin(r, a);
        for (unsigned i = 1; i <= ORDER; ++i)
            out[f][i] = a[i];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int frames = FRAMES >> args.shift, n = frames * HOP + LENGTH - HOP, all = frames * (ORDER + 1);
    float *signal = NEW(float, n), *window = NEW(float, LENGTH), *out = NEW(float, all);
    double sum = 0;
    for (int k = 0; k < n; k++)
        signal[k] = sinf(0.05f * (k % 5000)) + (float)number(k) - 0.5f;
    for (int k = 0; k < LENGTH; k++)
        window[k] = 0.54f - 0.46f * cosf(6.2831853f * k / (LENGTH - 1));
#pragma acc enter data copyin(signal[0:n], window[0:LENGTH]) create(out[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        predict(frames, n, signal, window, out);
#else
        predict(frames, n, signal, window, (float(*)[ORDER + 1])out);
#endif
    }
#pragma acc update self(out[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(out[k]);
    report("lpc", t.best, sum);
    return 0;
}
