// Tridiagonal systems, double: 2^16 systems of 128 equations, a thread each, unknown k of all systems together.
#include "../kernels.h"

enum { SYSTEMS = 1 << 16, UNKNOWNS = 128 };

#if SPELLING == 1
static void solve(int n, int m, const double *restrict lower, const double *restrict diagonal,
                  const double *restrict upper, const double *restrict right, double *restrict c, double *restrict x)
{
#pragma acc parallel loop present(lower[0:n * m], diagonal[0:n * m], upper[0:n * m], right[0:n * m]) \
    present(c[0:n * m], x[0:n * m])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        c[s] = upper[s] / diagonal[s];
        x[s] = right[s] / diagonal[s];
        for (int k = 1; k < m; k++) {
            int at = k * n + s;
            double pivot = 1 / (diagonal[at] - lower[at] * c[at - n]);
            c[at] = upper[at] * pivot;
            x[at] = (right[at] - lower[at] * x[at - n]) * pivot;
        }
        for (int k = m - 2; k >= 0; k--)
            x[k * n + s] -= c[k * n + s] * x[(k + 1) * n + s];
    }
}
#elif SPELLING == 3
static void solve(int nsys, int len, double *a, double *b, double *c, double *d, double *cp, double *x)
{
#pragma acc kernels loop independent gang vector(128) present(a, b, c, d, cp, x)
    for (int s = 0; s < nsys; s++) {
        int at = s;
        double cc = c[at] / b[at], dd = d[at] / b[at];
        cp[at] = cc;
        x[at] = dd;
        for (int k = 1; k < len; k++) {
            at += nsys;
            double m = b[at] - a[at] * cc;
            dd = (d[at] - a[at] * dd) / m;
            cc = c[at] / m;
            cp[at] = cc;
            x[at] = dd;
        }
        for (int k = len - 1; k > 0; k--) {
            at -= nsys;
            dd = x[at] - cp[at] * dd;
            x[at] = dd;
        }
    }
}
#elif SPELLING == 4
static void solve(size_t n, size_t m, const double *pl, const double *pd, const double *pu, const double *pr, double *pc, double *px)
{
    const double(*low)[n] = (const double(*)[n])pl, (*dia)[n] = (const double(*)[n])pd, (*upp)[n] = (const double(*)[n])pu, (*rhs)[n] = (const double(*)[n])pr;
    double(*c)[n] = (double(*)[n])pc, (*x)[n] = (double(*)[n])px;
#pragma acc parallel loop present(low[0:m], dia[0:m], upp[0:m], rhs[0:m], c[0:m], x[0:m])
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < m; k++) {
            double den = dia[k][i] - (k > 0 ? low[k][i] * c[k - 1][i] : 0);
            c[k][i] = upp[k][i] / den;
            x[k][i] = (rhs[k][i] - (k > 0 ? low[k][i] * x[k - 1][i] : 0)) / den;
        }
        for (size_t k = m - 1; k > 0; k--)
            x[k - 1][i] = x[k - 1][i] - c[k - 1][i] * x[k][i];
    }
}
#else
#define AT(p, k) (p)[(k) * n + s]

#pragma acc routine seq
static void one(size_t n, size_t m, size_t s, const double *l, const double *d, const double *u, const double *r,
                double *c, double *x)
{
    double previous_c = AT(u, 0) / AT(d, 0), previous_x = AT(r, 0) / AT(d, 0);
    AT(c, 0) = previous_c;
    AT(x, 0) = previous_x;
    for (size_t k = 1; k < m; k++) {
        double pivot = 1 / (AT(d, k) - AT(l, k) * previous_c);
        AT(c, k) = previous_c = AT(u, k) * pivot;
        AT(x, k) = previous_x = (AT(r, k) - AT(l, k) * previous_x) * pivot;
    }
    for (size_t k = m - 1; k-- > 0;)
        AT(x, k) = previous_x = AT(x, k) - AT(c, k) * previous_x;
}

static void solve(size_t n, size_t m, double *l, double *d, double *u, double *r, double *c, double *x)
{
#pragma acc parallel loop present(l[0:n * m], d[0:n * m], u[0:n * m], r[0:n * m], c[0:n * m], x[0:n * m])
#pragma omp parallel for
    for (size_t s = 0; s < n; s++)
        one(n, m, s, l, d, u, r, c, x);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SYSTEMS >> args.shift, m = UNKNOWNS, all = n * m;
    double *l = NEW(double, all), *d = NEW(double, all), *u = NEW(double, all), *r = NEW(double, all);
    double *c = NEW(double, all), *x = NEW(double, all), sum = 0;
    FILL(l, all, 1);
    FILL(u, all, 1);
    FILL(r, all, 1);
    for (int k = 0; k < all; k++)
        d[k] = 3 + number(k);
#pragma acc enter data copyin(l[0:all], d[0:all], u[0:all], r[0:all]) create(c[0:all], x[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        solve(n, m, l, d, u, r, c, x);
#pragma acc update self(x[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(x[k]);
    report("thomas", t.best, sum);
    return 0;
}
