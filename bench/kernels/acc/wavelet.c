// One level of the Daubechies transform with four taps of a picture of 2048 x 2048 floats: rows, then columns, periodic.
#include "../kernels.h"

enum { SIDE = 2048 };

#if SPELLING == 1
static void transform(int n, const float *restrict in, float *restrict half, float *restrict out)
{
    const float h0 = 0.4829629f, h1 = 0.8365163f, h2 = 0.2241439f, h3 = -0.1294095f;
#pragma acc parallel loop collapse(2) present(in[0:n * n], half[0:n * n])
#pragma omp parallel for
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n / 2; x++) {
            float a = in[y * n + 2 * x], b = in[y * n + 2 * x + 1], c = in[y * n + (2 * x + 2) % n], d = in[y * n + (2 * x + 3) % n];
            half[y * n + x] = h0 * a + h1 * b + h2 * c + h3 * d;
            half[y * n + n / 2 + x] = h3 * a - h2 * b + h1 * c - h0 * d;
        }
#pragma acc parallel loop collapse(2) present(half[0:n * n], out[0:n * n])
#pragma omp parallel for
    for (int y = 0; y < n / 2; y++)
        for (int x = 0; x < n; x++) {
            float a = half[2 * y * n + x], b = half[(2 * y + 1) * n + x], c = half[(2 * y + 2) % n * n + x], d = half[(2 * y + 3) % n * n + x];
            out[y * n + x] = h0 * a + h1 * b + h2 * c + h3 * d;
            out[(n / 2 + y) * n + x] = h3 * a - h2 * b + h1 * c - h0 * d;
        }
}
#else
static const float taps[4] = {0.4829629f, 0.8365163f, 0.2241439f, -0.1294095f};
#pragma acc declare copyin(taps)

#pragma acc routine seq
static void filter(const float *from, size_t at, size_t length, size_t stride, float *low, float *high)
{
    float smooth = 0, detail = 0;
    for (int k = 0; k < 4; ++k) {
        size_t place = at + k < length ? at + k : at + k - length;
        smooth += taps[k] * from[place * stride];
        detail += (k % 2 ? -taps[3 - k] : taps[3 - k]) * from[place * stride];
    }
    *low = smooth;
    *high = detail;
}

static void transform(size_t n, float *in, float *half, float *out)
{
#pragma acc parallel loop gang present(in[0:n * n], half[0:n * n])
#pragma omp parallel for
    for (size_t y = 0; y < n; ++y)
#pragma acc loop vector
        for (size_t x = 0; x < n / 2; ++x)
            filter(in + y * n, 2 * x, n, 1, &half[y * n + x], &half[y * n + n / 2 + x]);
#pragma acc parallel loop gang present(half[0:n * n], out[0:n * n])
#pragma omp parallel for
    for (size_t y = 0; y < n / 2; ++y)
#pragma acc loop vector
        for (size_t x = 0; x < n; ++x)
            filter(half + x, 2 * y, n, n, &out[y * n + x], &out[(y + n / 2) * n + x]);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    float *in = NEW(float, n *n), *half = NEW(float, n *n), *out = NEW(float, n *n);
    double sum = 0;
    FILL(in, n * n, 1);
#pragma acc enter data copyin(in[0:n * n]) create(half[0:n * n], out[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        transform(n, in, half, out);
#pragma acc update self(out[0:n * n])
    for (int k = 0; k < n * n; k++)
        sum += out[k] * (1 + k % 5);
    report("wavelet", t.best, sum);
    return 0;
}
