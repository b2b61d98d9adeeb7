// Median of 3 × 3 neighbours, float image of 2048 × 2048: nine values in an array of the thread, half of it sorted.
#include "../kernels.h"

enum { N = 2048 };

#if SPELLING == 1
static void filter(int n, const float *restrict in, float *restrict out)
{
#pragma acc parallel loop collapse(2) present(in[0:n * n], out[0:n * n])
#pragma omp parallel for
    for (int y = 1; y < n - 1; y++)
#pragma omp simd
        for (int x = 1; x < n - 1; x++) {
            float v[9];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    v[3 * i + j] = in[(y + i - 1) * n + x + j - 1];
            for (int i = 0; i < 5; i++)
                for (int j = i + 1; j < 9; j++)
                    if (v[j] < v[i]) {
                        float swap = v[i];
                        v[i] = v[j];
                        v[j] = swap;
                    }
            out[y * n + x] = v[4];
        }
}
#elif SPELLING == 3
#define s2(a, b) { float t = a; a = fminf(a, b); b = fmaxf(t, b); }
static void filter(int n, const float *in, float *out)
{
#pragma acc parallel loop collapse(2) present(in[0:n * n], out[0:n * n])
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            const float *p = in + y * n + x;
            float p0 = p[-n - 1], p1 = p[-n], p2 = p[-n + 1], p3 = p[-1], p4 = p[0], p5 = p[1], p6 = p[n - 1], p7 = p[n], p8 = p[n + 1];
            s2(p1, p2) s2(p4, p5) s2(p7, p8) s2(p0, p1) s2(p3, p4) s2(p6, p7) s2(p1, p2) s2(p4, p5) s2(p7, p8)
            s2(p0, p3) s2(p5, p8) s2(p4, p7) s2(p3, p6) s2(p1, p4) s2(p2, p5) s2(p4, p7) s2(p4, p2) s2(p6, p4) s2(p4, p2)
            out[y * n + x] = p4;
        }
}
#elif SPELLING == 4
static void filter(size_t n, float *src, float *dst)
{
#pragma acc parallel loop gang vector present(src[0:n * n], dst[0:n * n])
    for (size_t k = 0; k < n * n; k++) {
        size_t y = k / n, x = k % n;
        if (y > 0 && y < n - 1 && x > 0 && x < n - 1) {
            float window[9];
            int m = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    window[m++] = src[(y + dy) * n + x + dx];
            for (int i = 1; i < 9; i++) {
                float v = window[i];
                int j = i - 1;
                while (j >= 0 && window[j] > v) {
                    window[j + 1] = window[j];
                    j--;
                }
                window[j + 1] = v;
            }
            dst[k] = window[4];
        }
    }
}
#else
#define ORDER(a, b)                                                                                  \
    do {                                                                                             \
        float low_ = fminf(a, b);                                                                    \
        b = fmaxf(a, b);                                                                             \
        a = low_;                                                                                    \
    } while (0)

static void filter(size_t n, float *from, float *to)
{
    float(*in)[n] = (float(*)[n])from, (*out)[n] = (float(*)[n])to;
    float v[9];
#pragma acc parallel loop gang present(in[0:n][0:n], out[0:n][0:n])
#pragma omp parallel for
    for (size_t y = 1; y < n - 1; y++)
#pragma acc loop vector private(v)
#pragma omp simd private(v)
        for (size_t x = 1; x < n - 1; x++) {
            size_t k = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    v[k++] = in[y + dy][x + dx];
            for (k = 0; k < 5; k++)
                for (size_t j = k + 1; j < 9; j++)
                    ORDER(v[k], v[j]);
            out[y][x] = v[4];
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n;
    float *in = NEW(float, all), *out = NEW(float, all);
    double sum = 0;
    FILL(in, all, 1);
    FILL(out, all, 0);
#pragma acc enter data copyin(in[0:all], out[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        filter(n, in, out);
#pragma acc update self(out[0:all])
    SUM(sum, out, all);
    report("median", t.best, sum);
    return 0;
}
