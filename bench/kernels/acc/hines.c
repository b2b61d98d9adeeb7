// Four steps of 2^14 neurons of 64 compartments each, double: the gates of Hodgkin and Huxley's channels, their currents, and the tree of
// compartments as a sparse system that is eliminated from the tips to the root and back (Hines). Compartment k of all cells together.
#include "../kernels.h"

enum { CELLS = 1 << 14, PARTS = 64, STEPS = 4 };

#define DT 0.025
#define CAPACITY 1.0
#define SODIUM 120.0
#define POTASSIUM 36.0
#define LEAK 0.3

#if SPELLING == 1
static void simulate(int n, const int *restrict parent, const double *restrict axial, const double *restrict start,
                     const double *restrict current, double *restrict v, double *restrict m, double *restrict h,
                     double *restrict g, double *restrict d, double *restrict rhs)
{
    const int all = n * PARTS;
#pragma acc data present(parent[0:PARTS], axial[0:all], start[0:all], current[0:n], v[0:all], m[0:all], h[0:all], g[0:all]) \
    present(d[0:all], rhs[0:all])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < all; k++) {
            v[k] = start[k];
            m[k] = 0.05;
            h[k] = 0.6;
            g[k] = 0.32;
        }
        for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop gang vector vector_length(128)
#pragma omp parallel for
            for (int k = 0; k < all; k++) {
                double u = v[k];
                double am = fabs(u + 40) < 1e-6 ? 1 : 0.1 * (u + 40) / (1 - exp(-(u + 40) / 10)), bm = 4 * exp(-(u + 65) / 18);
                double ah = 0.07 * exp(-(u + 65) / 20), bh = 1 / (1 + exp(-(u + 35) / 10));
                double an = fabs(u + 55) < 1e-6 ? 0.1 : 0.01 * (u + 55) / (1 - exp(-(u + 55) / 10));
                double bn = 0.125 * exp(-(u + 65) / 80);
                m[k] += (am / (am + bm) - m[k]) * (1 - exp(-DT * (am + bm)));
                h[k] += (ah / (ah + bh) - h[k]) * (1 - exp(-DT * (ah + bh)));
                g[k] += (an / (an + bn) - g[k]) * (1 - exp(-DT * (an + bn)));
                double na = SODIUM * m[k] * m[k] * m[k] * h[k], ka = POTASSIUM * g[k] * g[k] * g[k] * g[k];
                d[k] = CAPACITY / DT + na + ka + LEAK;
                rhs[k] = -(na * (u - 50) + ka * (u + 77) + LEAK * (u + 54.3));
            }
#pragma acc parallel loop gang vector vector_length(64)
#pragma omp parallel for
            for (int c = 0; c < n; c++) {
                rhs[c] += current[c];
                for (int k = 1; k < PARTS; k++) {
                    int p = parent[k];
                    double a = axial[k * n + c], flow = a * (v[k * n + c] - v[p * n + c]);
                    d[k * n + c] += a;
                    d[p * n + c] += a;
                    rhs[k * n + c] -= flow;
                    rhs[p * n + c] += flow;
                }
                for (int k = PARTS - 1; k > 0; k--) {
                    int p = parent[k];
                    double a = axial[k * n + c], f = a / d[k * n + c];
                    d[p * n + c] -= f * a;
                    rhs[p * n + c] += f * rhs[k * n + c];
                }
                rhs[c] /= d[c];
                v[c] += rhs[c];
                for (int k = 1; k < PARTS; k++) {
                    rhs[k * n + c] = (rhs[k * n + c] + axial[k * n + c] * rhs[parent[k] * n + c]) / d[k * n + c];
                    v[k * n + c] += rhs[k * n + c];
                }
            }
        }
    }
}
#else
struct gates { double m, h, n; };

#pragma acc routine seq
static double ratio(double x, double width)
{
    const double y = x / width;
    return fabs(y) < 1e-7 ? width : x / (1 - exp(-y));
}

#pragma acc routine seq
static void relax(double *gate, double alpha, double beta)
{
    const double rate = alpha + beta;
    *gate += (alpha / rate - *gate) * (1 - exp(-DT * rate));
}

static void simulate(size_t n, const int *parent, double (*axial)[n], double (*start)[n], const double *current, double (*v)[n],
                     struct gates (*state)[n], double (*d)[n], double (*rhs)[n])
{
#pragma acc kernels loop independent collapse(2) present(start[0:PARTS], v[0:PARTS], state[0:PARTS])
#pragma omp parallel for
    for (size_t k = 0; k < PARTS; ++k)
        for (size_t c = 0; c < n; ++c) {
            v[k][c] = start[k][c];
            state[k][c] = (struct gates){0.05, 0.6, 0.32};
        }
    for (int step = 0; step < STEPS; ++step) {
#pragma acc kernels loop independent collapse(2) present(parent[0:PARTS], axial[0:PARTS], current[0:n], v[0:PARTS]) \
    present(state[0:PARTS], d[0:PARTS], rhs[0:PARTS])
#pragma omp parallel for
        for (size_t k = 0; k < PARTS; ++k)
            for (size_t c = 0; c < n; ++c) {
                const double u = v[k][c];
                struct gates s = state[k][c];
                relax(&s.m, 0.1 * ratio(u + 40, 10), 4 * exp((u + 65) / -18));
                relax(&s.h, 0.07 * exp((u + 65) / -20), 1 / (1 + exp((u + 35) / -10)));
                relax(&s.n, 0.01 * ratio(u + 55, 10), 0.125 * exp((u + 65) / -80));
                state[k][c] = s;
                const double na = SODIUM * s.m * s.m * s.m * s.h, ka = POTASSIUM * pow(s.n, 4);
                double sum = CAPACITY / DT + na + ka + LEAK;
                double all = (k == 0 ? current[c] : 0) - na * (u - 50) - ka * (u + 77) - LEAK * (u + 54.3);
                if (k) {
                    sum += axial[k][c];
                    all -= axial[k][c] * (u - v[parent[k]][c]);
                }
                // its branches
                for (size_t j = k + 1; j < PARTS; ++j)
                    if ((size_t)parent[j] == k) {
                        sum += axial[j][c];
                        all += axial[j][c] * (v[j][c] - u);
                    }
                d[k][c] = sum;
                rhs[k][c] = all;
            }
#pragma acc parallel loop vector_length(32) present(parent[0:PARTS], axial[0:PARTS], v[0:PARTS], d[0:PARTS], rhs[0:PARTS])
#pragma omp parallel for
        for (size_t c = 0; c < n; ++c) {
#pragma acc loop seq
            for (size_t k = PARTS; --k > 0;) {
                const double f = axial[k][c] / d[k][c];
                d[parent[k]][c] -= f * axial[k][c];
                rhs[parent[k]][c] += f * rhs[k][c];
            }
            rhs[0][c] /= d[0][c];
#pragma acc loop seq
            for (size_t k = 1; k < PARTS; ++k) {
                rhs[k][c] += axial[k][c] * rhs[parent[k]][c];
                rhs[k][c] /= d[k][c];
            }
            for (size_t k = 0; k < PARTS; ++k)
                v[k][c] += rhs[k][c];
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CELLS >> args.shift, all = n * PARTS, parent[PARTS];
    double *axial = NEW(double, all), *start = NEW(double, all), *current = NEW(double, n), *v = NEW(double, all);
    double *d = NEW(double, all), *rhs = NEW(double, all), sum = 0;
    for (int k = 0; k < PARTS; k++)
        parent[k] = k == 0 ? -1 : mix(k) % 4 ? k - 1 : (int)(mix(k + 99) % k);
    for (int k = 0; k < all; k++) {
        axial[k] = 0.5 + number(k);
        start[k] = -70 + 40 * number(k + 5);
    }
    for (int c = 0; c < n; c++)
        current[c] = 50 * number(3 * c);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *m = NEW(double, all), *h = NEW(double, all), *g = NEW(double, all);
#pragma acc enter data copyin(parent, axial[0:all], start[0:all], current[0:n]) create(v[0:all], m[0:all], h[0:all], g[0:all]) \
    create(d[0:all], rhs[0:all])
    while (lap(&t))
        simulate(n, parent, axial, start, current, v, m, h, g, d, rhs);
#else
    struct gates *state = NEW(struct gates, all);
#pragma acc enter data copyin(parent, axial[0:all], start[0:all], current[0:n]) create(v[0:all], state[0:all], d[0:all], rhs[0:all])
    while (lap(&t))
        simulate(n, parent, (double(*)[n])axial, (double(*)[n])start, current, (double(*)[n])v, (struct gates(*)[n])state,
                 (double(*)[n])d, (double(*)[n])rhs);
#endif
#pragma acc update self(v[0:all])
    for (int k = 0; k < all; k++)
        sum += v[k] * (1 + k % 3);
    report("hines", t.best, sum);
    return 0;
}
