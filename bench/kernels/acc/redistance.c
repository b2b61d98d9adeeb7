// Three steps that make a level-set function a signed distance again in 128^3 points, double: one-sided slopes of fifth
// order (WENO) along three directions, of which Godunov's scheme takes those from the interface.
#include "../kernels.h"

enum { SIDE = 128, STEPS = 3 };

#if SPELLING == 1
static inline double weno(double a, double b, double c, double d, double e)
{
    double s1 = 13.0 / 12 * (a - 2 * b + c) * (a - 2 * b + c) + 0.25 * (a - 4 * b + 3 * c) * (a - 4 * b + 3 * c);
    double s2 = 13.0 / 12 * (b - 2 * c + d) * (b - 2 * c + d) + 0.25 * (b - d) * (b - d);
    double s3 = 13.0 / 12 * (c - 2 * d + e) * (c - 2 * d + e) + 0.25 * (3 * c - 4 * d + e) * (3 * c - 4 * d + e);
    double w1 = 0.1 / ((s1 + 1e-6) * (s1 + 1e-6)), w2 = 0.6 / ((s2 + 1e-6) * (s2 + 1e-6));
    double w3 = 0.3 / ((s3 + 1e-6) * (s3 + 1e-6));
    double sum = w1 * (2 * a - 7 * b + 11 * c) + w2 * (-b + 5 * c + 2 * d) + w3 * (2 * c + 5 * d - e);
    return sum / (6 * (w1 + w2 + w3));
}

static inline double upwind(double minus, double plus, double sign)
{
    if (sign > 0) {
        minus = fmax(minus, 0);
        plus = fmin(plus, 0);
    } else {
        minus = fmin(minus, 0);
        plus = fmax(plus, 0);
    }
    return fmax(minus * minus, plus * plus);
}

static inline int clamp(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

static void step(int n, double h, const double *restrict start, const double *restrict from, double *restrict to)
{
    int all = n * n * n;
#pragma acc parallel loop collapse(3) present(start[0:all], from[0:all], to[0:all])
#pragma omp parallel for collapse(2)
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int at = (z * n + y) * n + x;
                double u[3][7], d[6], square = 0, sign = start[at] / sqrt(start[at] * start[at] + h * h);
                for (int k = 0; k < 7; k++) {
                    u[0][k] = from[(z * n + y) * n + clamp(x + k - 3, n)];
                    u[1][k] = from[(z * n + clamp(y + k - 3, n)) * n + x];
                    u[2][k] = from[(clamp(z + k - 3, n) * n + y) * n + x];
                }
                for (int a = 0; a < 3; a++) {
                    for (int k = 0; k < 6; k++)
                        d[k] = (u[a][k + 1] - u[a][k]) / h;
                    double minus = weno(d[0], d[1], d[2], d[3], d[4]), plus = weno(d[5], d[4], d[3], d[2], d[1]);
                    square += upwind(minus, plus, sign);
                }
                to[at] = from[at] - 0.3 * h * sign * (sqrt(square) - 1);
            }
}

static void redistance(int n, const double *restrict start, double *restrict one, double *restrict other)
{
    const double *from = start;
    for (int s = 0; s < STEPS; s++) {
        double *to = s % 2 ? other : one;
        step(n, 1.0 / n, start, from, to);
        from = to;
    }
}
#else
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define SQ(a) ((a) * (a))

struct slopes { double minus, plus; };

static double fifth(const double *d, int way)
{
    const double a = d[0], b = d[way], c = d[2 * way], e = d[3 * way], f = d[4 * way], tiny = 1e-6;
    const double s[3] = {13.0 / 12 * SQ(a - 2 * b + c) + 0.25 * SQ(a - 4 * b + 3 * c),
                         13.0 / 12 * SQ(b - 2 * c + e) + 0.25 * SQ(b - e),
                         13.0 / 12 * SQ(c - 2 * e + f) + 0.25 * SQ(3 * c - 4 * e + f)};
    const double ideal[3] = {0.1, 0.6, 0.3};
    const double value[3] = {(2 * a - 7 * b + 11 * c) / 6, (-b + 5 * c + 2 * e) / 6, (2 * c + 5 * e - f) / 6};
    double weights = 0, sum = 0;
    for (int k = 0; k < 3; ++k) {
        double w = ideal[k] / SQ(s[k] + tiny);
        weights += w;
        sum += w * value[k];
    }
    return sum / weights;
}

static struct slopes along(const double *line, long i, long n, long stride, double per)
{
    double d[6], last = line[MAX(i - 3, 0) * stride];
    struct slopes s;
    for (long k = 0; k < 6; ++k) {
        long j = i - 2 + k;
        double here = line[(j < 0 ? 0 : j < n ? j : n - 1) * stride];
        d[k] = (here - last) * per;
        last = here;
    }
    s.minus = fifth(d, 1);
    s.plus = fifth(d + 5, -1);
    return s;
}

static double godunov(struct slopes s, int outside)
{
    double a = outside ? MAX(s.minus, 0) : MIN(s.minus, 0), b = outside ? MIN(s.plus, 0) : MAX(s.plus, 0);
    return MAX(SQ(a), SQ(b));
}

static void redistance(long n, double *start, double *one, double *other)
{
    const double h = 1.0 / n;
    double *buffers[2] = {one, other}, *from = start;
    for (int s = 0; s < STEPS; ++s) {
        double *to = buffers[s & 1];
#pragma acc parallel loop gang collapse(2) vector_length(128) present(start[0:n * n * n]) \
    present(from[0:n * n * n], to[0:n * n * n])
#pragma omp parallel for collapse(2)
        for (long z = 0; z < n; ++z)
            for (long y = 0; y < n; ++y) {
#pragma acc loop vector
                for (long x = 0; x < n; ++x) {
                    const long at = (z * n + y) * n + x;
                    const double was = start[at], sign = was / sqrt(was * was + h * h);
                    double square = godunov(along(from + (z * n + y) * n, x, n, 1, 1 / h), sign > 0);
                    square += godunov(along(from + z * n * n + x, y, n, n, 1 / h), sign > 0);
                    square += godunov(along(from + y * n + x, z, n, n * n, 1 / h), sign > 0);
                    to[at] = from[at] - 0.3 * h * sign * (sqrt(square) - 1);
                }
            }
        from = to;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n;
    double *start = NEW(double, all), *one = NEW(double, all), *other = NEW(double, all), sum = 0;
    for (int k = 0; k < all; k++) {
        double x = (k % n + 0.5) / n - 0.5, y = (k / n % n + 0.5) / n - 0.45, z = (k / n / n + 0.5) / n - 0.55;
        double r = sqrt(x * x + y * y + 2 * z * z) - 0.3 + 0.03 * sin(15 * x) * cos(11 * y);
        start[k] = r * (1 + 2 * x * x + y) + 1e-3 * number(k) / n;
    }
#pragma acc enter data copyin(start[0:all]) create(one[0:all], other[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        redistance(n, start, one, other);
#pragma acc update self(one[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(one[k]);
    report("redistance", t.best, sum);
    return 0;
}
