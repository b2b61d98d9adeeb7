// An American put by least squares over 2^17 simulated paths of 50 steps, double: backwards in time a parabola is fitted to what the paths in the
// money earn later, from eight sums over all paths, and a path is exercised where it would pay more than the parabola says.
#include "../kernels.h"

enum { PATHS = 1 << 17, STEPS = 50, SUMS = 8 };

#define START 36.0
#define STRIKE 40.0
#define RATE 0.06
#define SPREAD 0.2
#define TIME 1.0
#define DT (TIME / STEPS)

#if SPELLING == 1
static void simulate(int n, double *restrict price)
{
#pragma acc parallel loop gang vector vector_length(256) present(price[0:n * (STEPS + 1)])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = START, drift = (RATE - 0.5 * SPREAD * SPREAD) * DT, jump = SPREAD * sqrt(DT);
        price[i] = s;
        for (int t = 1; t <= STEPS; t++) {
            unsigned k = 2u * (t * n + i);
            double u = (mix(k) + 0.5) / 4294967296.0, v = (mix(k + 1) + 0.5) / 4294967296.0;
            s *= exp(drift + jump * sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
            price[t * n + i] = s;
        }
    }
}

// The parabola by Cramer's rule; without enough paths one that is never exceeded.
static void fit(double s0, double s1, double s2, double s3, double s4, double y0, double y1, double y2, double *c)
{
    double a = s2 * s4 - s3 * s3, b = s1 * s4 - s2 * s3, d = s1 * s3 - s2 * s2, det = s0 * a - s1 * b + s2 * d;
    c[0] = 1e30;
    c[1] = c[2] = 0;
    if (s0 < 16)
        return;
    c[0] = (y0 * a - y1 * b + y2 * d) / det;
    c[1] = (-y0 * b + y1 * (s0 * s4 - s2 * s2) - y2 * (s0 * s3 - s1 * s2)) / det;
    c[2] = (y0 * d - y1 * (s0 * s3 - s1 * s2) + y2 * (s0 * s2 - s1 * s1)) / det;
}

static double value(int n, double *restrict price, double *restrict cash)
{
    double total = 0, discount = exp(-RATE * DT);
    simulate(n, price);
#pragma acc data present(price[0:n * (STEPS + 1)], cash[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            cash[i] = fmax(0, STRIKE - price[STEPS * n + i]);
        for (int t = STEPS - 1; t > 0; t--) {
            double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, y0 = 0, y1 = 0, y2 = 0, c[3];
            const double *now = price + t * n;
#pragma acc parallel loop reduction(+ : s0, s1, s2, s3, s4, y0, y1, y2) present(now[0:n])
#pragma omp parallel for reduction(+ : s0, s1, s2, s3, s4, y0, y1, y2)
            for (int i = 0; i < n; i++) {
                double x = now[i] / STRIKE - 1, y = discount * cash[i];
                cash[i] = y;
                if (x < 0) {
                    s0 += 1;
                    s1 += x;
                    s2 += x * x;
                    s3 += x * x * x;
                    s4 += x * x * x * x;
                    y0 += y;
                    y1 += x * y;
                    y2 += x * x * y;
                }
            }
            fit(s0, s1, s2, s3, s4, y0, y1, y2, c);
            double c0 = c[0], c1 = c[1], c2 = c[2];
#pragma acc parallel loop present(now[0:n])
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                double x = now[i] / STRIKE - 1;
                if (x < 0 && -STRIKE * x > c0 + x * (c1 + x * c2))
                    cash[i] = -STRIKE * x;
            }
        }
#pragma acc parallel loop reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
        for (int i = 0; i < n; i++)
            total += discount * cash[i];
    }
    return total / n;
}
#else
#define MONEYNESS(s) ((s) / STRIKE - 1.0)
#define UNIFORM(k) ((mix(k) + 0.5) * (1.0 / 4294967296.0))

struct parabola { double c[3]; };

#pragma acc routine seq
static double normal(unsigned long k)
{
    return sqrt(-2.0 * log(UNIFORM((unsigned)(2 * k)))) * cos(6.283185307179586 * UNIFORM((unsigned)(2 * k + 1)));
}

// Elimination of the normal equations; sums[0..4] are of powers, sums[5..7] with what is earned.
#pragma acc routine seq
static struct parabola solved(const double *sums)
{
    struct parabola out = {{1e30, 0.0, 0.0}};
    if (sums[0] >= 16.0) {
        double a[3][4];
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c)
                a[r][c] = sums[r + c];
            a[r][3] = sums[5 + r];
        }
        for (int p = 0; p < 3; ++p)
            for (int r = 0; r < 3; ++r) {
                const double factor = a[r][p] / a[p][p];
                if (r != p)
                    for (int c = p; c < 4; ++c)
                        a[r][c] -= factor * a[p][c];
            }
        for (int r = 0; r < 3; ++r)
            out.c[r] = a[r][3] / a[r][r];
    }
    return out;
}

// All stays on the device: each of `parts` iterations sums its share of the paths.
static double value(size_t n, double *price, double *cash, double *sums, struct parabola *fits)
{
    enum { EACH = 16 };
    double (*s)[n] = (double (*)[n])price, (*m)[SUMS] = (double (*)[SUMS])sums, total = 0.0;
    const double discount = exp(-RATE * DT), drift = (RATE - SPREAD * SPREAD / 2) * DT, jump = SPREAD * sqrt(DT);
    const size_t parts = n / EACH;
#pragma acc data present(s[0:STEPS + 1], cash[0:n], m[0:STEPS], fits[0:STEPS])
    {
#pragma acc parallel loop collapse(2) async(1)
        for (size_t t = 0; t < STEPS; ++t)
            for (size_t k = 0; k < SUMS; ++k)
                m[t][k] = 0.0;
#pragma acc kernels async(1)
#pragma acc loop independent
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
            s[0][i] = START;
#pragma acc loop seq
            for (size_t t = 1; t <= STEPS; ++t)
                s[t][i] = s[t - 1][i] * exp(drift + jump * normal(t * n + i));
            cash[i] = s[STEPS][i] < STRIKE ? STRIKE - s[STEPS][i] : 0.0;
        }
        for (size_t t = STEPS; --t > 0;) {
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (size_t part = 0; part < parts; ++part) {
                double mine[SUMS] = {0};
                for (size_t i = part; i < n; i += parts) {
                    const double x = MONEYNESS(s[t][i]), y = cash[i] *= discount;
                    if (x >= 0.0)
                        continue;
                    double power = 1.0;
                    for (int k = 0; k < 5; ++k, power *= x) {
                        mine[k] += power;
                        if (k < 3)
                            mine[5 + k] += power * y;
                    }
                }
                for (int k = 0; k < SUMS; ++k) {
#pragma acc atomic update
#pragma omp atomic
                    m[t][k] += mine[k];
                }
            }
#pragma acc serial async(1)
            fits[t] = solved(m[t]);
#pragma acc parallel loop async(1)
#pragma omp parallel for
            for (size_t i = 0; i < n; ++i) {
                const double x = MONEYNESS(s[t][i]), pays = -STRIKE * x;
                const double later = fits[t].c[0] + fits[t].c[1] * x + fits[t].c[2] * x * x;
                cash[i] = pays > 0.0 && pays > later ? pays : cash[i];
            }
        }
#pragma acc parallel loop reduction(+ : total) async(1)
#pragma omp parallel for reduction(+ : total)
        for (size_t i = 0; i < n; ++i)
            total += cash[i];
#pragma acc wait(1)
    }
    return discount * total / n;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PATHS >> args.shift;
    double *price = NEW(double, n * (STEPS + 1)), *cash = NEW(double, n), put = 0, sum = 0;
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data create(price[0:n * (STEPS + 1)], cash[0:n])
    while (lap(&t))
        put = value(n, price, cash);
#else
    double *sums = NEW(double, STEPS * SUMS);
    struct parabola *fits = NEW(struct parabola, STEPS);
#pragma acc enter data create(price[0:n * (STEPS + 1)], cash[0:n], sums[0:STEPS * SUMS], fits[0:STEPS])
    while (lap(&t))
        put = value(n, price, cash, sums, fits);
#endif
#pragma acc update self(cash[0:n])
    for (int i = 0; i < n; i++)
        sum += cash[i] * (1 + i % 3);
    report("american", t.best, sum + 1000 * put);
    return 0;
}
