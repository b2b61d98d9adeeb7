// Twenty steps of the waves of excitation in 1024 x 1024 points of heart tissue, double: three variables and three currents (Fenton and Karma), diffusion.
#include "../kernels.h"

enum { SIDE = 1024, STEPS = 20 };
#define DT 0.05
#define SPREAD 0.1
#define UC 0.13
#define UV 0.04
#define TAU_D 0.25
#define TAU_R 33.0
#define TAU_SI 29.0
#define TAU_0 12.5
#define TAU_V1 1250.0
#define TAU_V2 19.6
#define TAU_VP 3.33
#define TAU_WP 870.0
#define TAU_WM 41.0
#define UCSI 0.85

#if SPELLING == 1
static void advance(int n, const double *restrict u0, double *restrict u, double *restrict next, double *restrict v, double *restrict w)
{
    int all = n * n;
#pragma acc parallel loop present(u0[0:all], u[0:all], v[0:all], w[0:all])
#pragma omp parallel for
    for (int k = 0; k < all; k++) {
        u[k] = u0[k];
        v[k] = 1;
        w[k] = 1;
    }
    for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop collapse(2) present(u[0:all], next[0:all], v[0:all], w[0:all])
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int at = i * n + j;
                int up = i > 0 ? at - n : at + n, down = i < n - 1 ? at + n : at - n;
                int left = j > 0 ? at - 1 : at + 1, right = j < n - 1 ? at + 1 : at - 1;
                double x = u[at], gate = v[at], slow = w[at];
                double p = x >= UC ? 1 : 0, q = x >= UV ? 1 : 0;
                double fast = -gate * p * (x - UC) * (1 - x) / TAU_D;
                double out = x * (1 - p) / TAU_0 + p / TAU_R;
                double in = -slow * (1 + tanh(10.0 * (x - UCSI))) / (2 * TAU_SI);
                double tau = q * TAU_V1 + (1 - q) * TAU_V2;
                v[at] = gate + DT * ((1 - p) * (1 - gate) / tau - p * gate / TAU_VP);
                w[at] = slow + DT * ((1 - p) * (1 - slow) / TAU_WM - p * slow / TAU_WP);
                next[at] = x + DT * (SPREAD * (u[up] + u[down] + u[left] + u[right] - 4 * x) * 4 - (fast + out + in));
            }
        double *swap = u;
        u = next;
        next = swap;
    }
}
#else
struct tissue { long n; double *u0, *u[2], *v, *w; };
struct point { double u, v, w; };

static struct point react(struct point at, double laplacian)
{
    struct point to;
    double excited = at.u < UC ? 0 : 1;
    double currents = at.u < UC ? at.u / TAU_0 : 1 / TAU_R - at.v * (at.u - UC) * (1 - at.u) / TAU_D;
    currents -= at.w * (1 + tanh(10.0 * (at.u - UCSI))) / (2 * TAU_SI);
    if (excited) {
        to.v = at.v - DT * at.v / TAU_VP;
        to.w = at.w - DT * at.w / TAU_WP;
    } else {
        to.v = at.v + DT * (1 - at.v) / (at.u < UV ? TAU_V2 : TAU_V1);
        to.w = at.w + DT * (1 - at.w) / TAU_WM;
    }
    to.u = at.u + DT * (4 * SPREAD * laplacian - currents);
    return to;
}

static void advance(struct tissue s)
{
    const long n = s.n;
    double *v = s.v, *w = s.w, *even = s.u[0], *odd = s.u[1];
#pragma acc data present(s.u0[0:n * n], even[0:n * n], odd[0:n * n], v[0:n * n], w[0:n * n])
    {
        double *first = s.u0, *start = even;
#pragma acc kernels loop independent present(first[0:n * n], start[0:n * n])
#pragma omp parallel for
        for (long k = 0; k < n * n; ++k) {
            start[k] = first[k];
            v[k] = w[k] = 1;
        }
        for (int step = 0; step < STEPS; ++step) {
            double *u = step % 2 ? odd : even, *next = step % 2 ? even : odd;
#pragma acc parallel loop gang present(u[0:n * n], next[0:n * n])
#pragma omp parallel for
            for (long i = 0; i < n; ++i) {
                long up = i == 0 ? 1 : i - 1, down = i == n - 1 ? n - 2 : i + 1;
#pragma acc loop vector
                for (long j = 0; j < n; ++j) {
                    long left = j == 0 ? 1 : j - 1, right = j == n - 1 ? n - 2 : j + 1;
                    struct point at = {u[i * n + j], v[i * n + j], w[i * n + j]};
                    at = react(at, u[up * n + j] + u[down * n + j] + u[i * n + left] + u[i * n + right] - 4 * at.u);
                    next[i * n + j] = at.u;
                    v[i * n + j] = at.v;
                    w[i * n + j] = at.w;
                }
            }
        }
    }
}
#endif

static void stimulate(int n, double *u)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i * n + j] = 0.5 * number(i / 16 * 911 + j / 16) + 0.1 * number(i * n + j);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n;
    double *u0 = NEW(double, all), *u = NEW(double, all), *next = NEW(double, all), *v = NEW(double, all), *w = NEW(double, all), sum = 0;
    stimulate(n, u0);
#pragma acc enter data copyin(u0[0:all]) create(u[0:all], next[0:all], v[0:all], w[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        advance(n, u0, u, next, v, w);
#else
        advance((struct tissue){n, u0, {u, next}, v, w});
#endif
    }
#pragma acc update self(u[0:all], v[0:all], w[0:all])
    SUM(sum, u, all);
    SUM(sum, v, all);
    SUM(sum, w, all);
    report("heart", t.best, sum);
    return 0;
}
