// 16384 traces of 2048 floats through a band-pass of three biquads without a shift of phase, as seismic processing has it: forward along each trace, then back,
// states in double.
#include "../kernels.h"

enum { TRACES = 1 << 14, SAMPLES = 2048, SECTIONS = 3 };

#if SPELLING == 1
static void filter(int n, const double *restrict c, const float *restrict in, float *restrict out)
{
#pragma acc parallel loop gang vector present(c[0:SECTIONS * 5], in[0:n * SAMPLES], out[0:n * SAMPLES])
#pragma omp parallel for
    for (int trace = 0; trace < n; trace++) {
        double one[SECTIONS], two[SECTIONS];
        for (int s = 0; s < SECTIONS; s++)
            one[s] = two[s] = 0;
#pragma acc loop seq
        for (int i = 0; i < SAMPLES; i++) {
            double x = in[trace * SAMPLES + i];
#pragma acc loop seq
            for (int s = 0; s < SECTIONS; s++) {
                double y = c[5 * s] * x + one[s];
                one[s] = c[5 * s + 1] * x - c[5 * s + 3] * y + two[s];
                two[s] = c[5 * s + 2] * x - c[5 * s + 4] * y;
                x = y;
            }
            out[trace * SAMPLES + i] = x;
        }
        for (int s = 0; s < SECTIONS; s++)
            one[s] = two[s] = 0;
#pragma acc loop seq
        for (int i = SAMPLES - 1; i >= 0; i--) {
            double x = out[trace * SAMPLES + i];
#pragma acc loop seq
            for (int s = 0; s < SECTIONS; s++) {
                double y = c[5 * s] * x + one[s];
                one[s] = c[5 * s + 1] * x - c[5 * s + 3] * y + two[s];
                two[s] = c[5 * s + 2] * x - c[5 * s + 4] * y;
                x = y;
            }
            out[trace * SAMPLES + i] = x;
        }
    }
}
#else
enum { PIECE = 16 };

struct section { double b0, b1, b2, a1, a2; };
struct memory { double x1, x2, y1, y2; };

// Direct form, which keeps what came in and out.
#pragma acc routine seq
static double tick(const struct section *s, struct memory *m, double x)
{
    double y = s->b0 * x + s->b1 * m->x1 + s->b2 * m->x2 - s->a1 * m->y1 - s->a2 * m->y2;
    m->x2 = m->x1;
    m->x1 = x;
    m->y2 = m->y1;
    m->y1 = y;
    return y;
}

static void filter(size_t n, struct section *sections, float (*in)[SAMPLES], float (*out)[SAMPLES])
{
    struct section first = sections[0], second = sections[1], third = sections[2];
#pragma acc data present(in[0:n], out[0:n])
    {
#pragma acc kernels loop independent vector(32)
#pragma omp parallel for
        for (size_t trace = 0; trace < n; ++trace) {
            struct memory m[SECTIONS] = {{0}};
            float piece[PIECE];
            for (size_t begin = 0; begin < SAMPLES; begin += PIECE) {
                for (int i = 0; i < PIECE; ++i)
                    piece[i] = in[trace][begin + i];
                for (int i = 0; i < PIECE; ++i)
                    piece[i] = tick(&third, &m[2], tick(&second, &m[1], tick(&first, &m[0], piece[i])));
                for (int i = 0; i < PIECE; ++i)
                    out[trace][begin + i] = piece[i];
            }
        }
#pragma acc kernels loop independent vector(32)
#pragma omp parallel for
        for (size_t trace = 0; trace < n; ++trace) {
            struct memory m[SECTIONS] = {{0}};
            float piece[PIECE];
            for (size_t end = SAMPLES; end > 0; end -= PIECE) {
                for (int i = 0; i < PIECE; ++i)
                    piece[i] = out[trace][end - 1 - i];
                for (int i = 0; i < PIECE; ++i)
                    piece[i] = tick(&third, &m[2], tick(&second, &m[1], tick(&first, &m[0], piece[i])));
                for (int i = 0; i < PIECE; ++i)
                    out[trace][end - 1 - i] = piece[i];
            }
        }
    }
}
#endif

// Coefficients b0, b1, b2, a1, a2 of a high-pass and two low-passes.
static void design(double *c)
{
    double turn[SECTIONS] = {0.06, 0.7, 0.7}, quality[SECTIONS] = {0.7071, 0.5412, 1.3066};
    for (int s = 0; s < SECTIONS; s++) {
        double cosine = cos(turn[s]), alpha = sin(turn[s]) / (2 * quality[s]), a0 = 1 + alpha, b = (s == 0 ? 1 + cosine : 1 - cosine) / 2;
        c[5 * s] = b / a0;
        c[5 * s + 1] = (s == 0 ? -2 : 2) * b / a0;
        c[5 * s + 2] = b / a0;
        c[5 * s + 3] = -2 * cosine / a0;
        c[5 * s + 4] = (1 - alpha) / a0;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TRACES >> args.shift, all = n * SAMPLES;
    double c[SECTIONS * 5], sum = 0;
    float *in = NEW(float, all), *out = NEW(float, all);
    design(c);
    FILL(in, all, 2);
#pragma acc enter data copyin(c, in[0:all]) create(out[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        filter(n, c, in, out);
#else
        filter(n, (struct section *)c, (void *)in, (void *)out);
#endif
    }
#pragma acc update self(out[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(out[k]) * (1 + k % 3);
    report("biquads", t.best, sum);
    return 0;
}
