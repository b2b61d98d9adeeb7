// A step of symmetric over-relaxation as implicit codes for gases have it, double: 64^3 cells of five unknowns; blocks of 5 x 5 from Jacobians of the fluxes
// couple each to three neighbours; a launch for each plane i + j + k, once forth and once back.
#include "../kernels.h"

enum { SIDE = 64 };
#define GAMMA 1.4
#define OMEGA 1.2
#define DT 0.1
#define T1 1.0
#define T2 0.5
#define DRAG 0.05
#define DIAGONAL (1 + 6 * DT * T1)

#if SPELLING == 1
#define AT(k, j, i) ((((k) * n + (j)) * n + (i)) * 5)

// Takes the block of a neighbour in direction d, times its unknowns, from t.
#pragma acc routine seq
static void couple(int d, double side, const double *restrict u, const double *restrict v, double *restrict t)
{
    double a[5][5], w[3] = {u[1] / u[0], u[2] / u[0], u[3] / u[0]};
    double phi = 0.5 * (GAMMA - 1) * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), h = GAMMA * u[4] / u[0] - phi, along = w[d];
    for (int q = 0; q < 5; q++)
        a[0][q] = q == d + 1 ? 1 : 0;
    for (int m = 0; m < 3; m++) {
        a[m + 1][0] = -w[m] * along + (m == d ? phi : 0);
        for (int q = 0; q < 3; q++)
            a[m + 1][q + 1] = (q == d ? w[m] : 0) + (q == m ? along : 0) - (m == d ? (GAMMA - 1) * w[q] : 0);
        a[m + 1][4] = m == d ? GAMMA - 1 : 0;
    }
    a[4][0] = (phi - h) * along;
    for (int q = 0; q < 3; q++)
        a[4][q + 1] = (q == d ? h : 0) - (GAMMA - 1) * w[q] * along;
    a[4][4] = GAMMA * along;
    for (int m = 0; m < 5; m++)
        for (int q = 0; q < 5; q++)
            t[m] -= OMEGA * (side * DT * T2 * a[m][q] - (m == q ? DT * T1 : 0)) * v[q];
}

// Solves with the block of the cell itself, by elimination.
#pragma acc routine seq
static void solve(const double *restrict u, double *restrict t)
{
    double a[5][5] = {{0}}, w[3] = {u[1] / u[0], u[2] / u[0], u[3] / u[0]};
    for (int m = 0; m < 5; m++)
        a[m][m] = DIAGONAL;
    for (int m = 0; m < 3; m++) {
        a[m + 1][0] = -DRAG * w[m];
        a[4][m + 1] = -0.5 * DRAG * w[m];
    }
    a[4][0] = DRAG * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (int p = 0; p < 5; p++)
        for (int m = p + 1; m < 5; m++) {
            double f = a[m][p] / a[p][p];
            for (int q = p + 1; q < 5; q++)
                a[m][q] -= f * a[p][q];
            t[m] -= f * t[p];
        }
    for (int p = 4; p >= 0; p--) {
        for (int q = p + 1; q < 5; q++)
            t[p] -= a[p][q] * t[q];
        t[p] /= a[p][p];
    }
}

static void relax(int n, const double *restrict u, const double *restrict rhs, double *restrict v)
{
    int all = n * n * n * 5;
#pragma acc data present(u[0:all], rhs[0:all], v[0:all])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < all; k++)
            v[k] = rhs[k];
        for (int l = 3; l <= 3 * (n - 2); l++) {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for collapse(2)
            for (int k = 1; k < n - 1; k++)
                for (int j = 1; j < n - 1; j++) {
                    int i = l - k - j;
                    if (i >= 1 && i < n - 1) {
                        int at = AT(k, j, i), x = AT(k, j, i - 1), y = AT(k, j - 1, i), z = AT(k - 1, j, i);
                        double t[5];
                        for (int m = 0; m < 5; m++)
                            t[m] = v[at + m];
                        couple(2, -1, u + z, v + z, t);
                        couple(1, -1, u + y, v + y, t);
                        couple(0, -1, u + x, v + x, t);
                        solve(u + at, t);
                        for (int m = 0; m < 5; m++)
                            v[at + m] = t[m];
                    }
                }
        }
        for (int l = 3 * (n - 2); l >= 3; l--) {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for collapse(2)
            for (int k = 1; k < n - 1; k++)
                for (int j = 1; j < n - 1; j++) {
                    int i = l - k - j;
                    if (i >= 1 && i < n - 1) {
                        int at = AT(k, j, i), x = AT(k, j, i + 1), y = AT(k, j + 1, i), z = AT(k + 1, j, i);
                        double t[5] = {0, 0, 0, 0, 0};
                        couple(2, 1, u + z, v + z, t);
                        couple(1, 1, u + y, v + y, t);
                        couple(0, 1, u + x, v + x, t);
                        solve(u + at, t);
                        for (int m = 0; m < 5; m++)
                            v[at + m] += t[m];
                    }
                }
        }
    }
}
#else
struct five { double q[5]; };

#pragma acc routine seq
static inline struct five load(long cells, const double *f, long at)
{
    struct five r;
    for (int m = 0; m < 5; ++m)
        r.q[m] = f[m * cells + at];
    return r;
}

// The change of the flux along direction D (1 to 3) when the state u changes by v; no matrix.
#define COUPLE(t, D, side, at)                                                                                                             \
    {                                                                                                                                      \
        struct five s = load(cells, u, at), c = load(cells, v, at);                                                                        \
        double r = 1 / s.q[0], w1 = s.q[1] * r, w2 = s.q[2] * r, w3 = s.q[3] * r, along = s.q[D] * r;                                      \
        double phi = 0.5 * (GAMMA - 1) * (w1 * w1 + w2 * w2 + w3 * w3), h = GAMMA * s.q[4] * r - phi;                                      \
        double pressure = phi * c.q[0] + (GAMMA - 1) * (c.q[4] - w1 * c.q[1] - w2 * c.q[2] - w3 * c.q[3]);                                  \
        double drift = c.q[D] - along * c.q[0], f = (side) * DT * T2;                                                                      \
        t.q[0] -= OMEGA * (f * c.q[D] - DT * T1 * c.q[0]);                                                                                 \
        t.q[1] -= OMEGA * (f * (w1 * drift + along * c.q[1] + (D == 1 ? pressure : 0)) - DT * T1 * c.q[1]);                                \
        t.q[2] -= OMEGA * (f * (w2 * drift + along * c.q[2] + (D == 2 ? pressure : 0)) - DT * T1 * c.q[2]);                                \
        t.q[3] -= OMEGA * (f * (w3 * drift + along * c.q[3] + (D == 3 ? pressure : 0)) - DT * T1 * c.q[3]);                                \
        t.q[4] -= OMEGA * (f * (along * (c.q[4] + pressure) + h * drift) - DT * T1 * c.q[4]);                                              \
    }

// The block of the cell has nothing but its diagonal, its first column and its last row.
#pragma acc routine seq
static inline struct five divide(struct five u, struct five t)
{
    const double r = 1 / u.q[0], d = 1 / DIAGONAL;
    double squares = 0, last = t.q[4];
    t.q[0] *= d;
    for (int m = 1; m <= 3; ++m) {
        double w = u.q[m] * r;
        squares += w * w;
        t.q[m] = d * (t.q[m] + DRAG * w * t.q[0]);
        last += 0.5 * DRAG * w * t.q[m];
    }
    t.q[4] = d * (last - DRAG * squares * t.q[0]);
    return t;
}

// The cells of a plane are cell[start[l]] to cell[start[l + 1] - 1].
static void relax(long n, long inner, double *u, double *rhs, double *v, int *cell, int *start)
{
    const long cells = n * n * n, planes = 3 * n;
#pragma acc parallel loop present(rhs[0:5 * cells], v[0:5 * cells]) async
#pragma omp parallel for
    for (long k = 0; k < 5 * cells; ++k)
        v[k] = rhs[k];
    for (long l = 0; l < planes; ++l) {
        const long first = start[l], last = start[l + 1];
        if (first == last)
            continue;
#pragma acc parallel loop gang vector vector_length(64) present(u[0:5 * cells], v[0:5 * cells], cell[0:inner]) async
#pragma omp parallel for
        for (long k = first; k < last; ++k) {
            const long at = cell[k];
            struct five t = load(cells, v, at);
            COUPLE(t, 3, -1, at - n * n)
            COUPLE(t, 2, -1, at - n)
            COUPLE(t, 1, -1, at - 1)
            t = divide(load(cells, u, at), t);
            for (int m = 0; m < 5; ++m)
                v[m * cells + at] = t.q[m];
        }
    }
    for (long l = planes - 1; l >= 0; --l) {
        const long first = start[l], last = start[l + 1];
        if (first == last)
            continue;
#pragma acc parallel loop gang vector vector_length(64) present(u[0:5 * cells], v[0:5 * cells], cell[0:inner]) async
#pragma omp parallel for
        for (long k = first; k < last; ++k) {
            const long at = cell[k];
            struct five t = {{0, 0, 0, 0, 0}};
            COUPLE(t, 3, 1, at + n * n)
            COUPLE(t, 2, 1, at + n)
            COUPLE(t, 1, 1, at + 1)
            t = divide(load(cells, u, at), t);
            for (int m = 0; m < 5; ++m)
                v[m * cells + at] += t.q[m];
        }
    }
#pragma acc wait
}

static void sort_cells(int n, int *cell, int *start)
{
    int at = 0;
    for (int l = 0; l < 3 * n; l++) {
        start[l] = at;
        for (int k = 1; k < n - 1; k++)
            for (int j = 1; j < n - 1; j++)
                if (l - k - j >= 1 && l - k - j < n - 1)
                    cell[at++] = (k * n + j) * n + l - k - j;
    }
    start[3 * n] = at;
}
#endif

static double state(int cell, int m)
{
    double r = number(5 * cell + m);
    return m == 0 ? 1 + 0.1 * r : m == 4 ? 2 + 0.1 * r : 0.4 * (r - 0.3);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, cells = n * n * n, all = 5 * cells;
    double *u = NEW(double, all), *rhs = NEW(double, all), *v = NEW(double, all), sum = 0;
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    for (int k = 0; k < all; k++) {
        u[k] = state(k / 5, k % 5);
        rhs[k] = number(k + 9);
    }
#pragma acc enter data copyin(u[0:all], rhs[0:all]) create(v[0:all])
    while (lap(&t))
        relax(n, u, rhs, v);
#else
    int *cell = NEW(int, cells), *start = NEW(int, 3 * n + 1);
    for (int k = 0; k < all; k++) {
        u[k % 5 * cells + k / 5] = state(k / 5, k % 5);
        rhs[k % 5 * cells + k / 5] = number(k + 9);
    }
    sort_cells(n, cell, start);
    int inner = start[3 * n];
#pragma acc enter data copyin(u[0:all], rhs[0:all], cell[0:inner]) create(v[0:all])
    while (lap(&t))
        relax(n, inner, u, rhs, v, cell, start);
#endif
#pragma acc update self(v[0:all])
    for (int k = 0; k < all; k++)
#if SPELLING == 1
        sum += fabs(v[k]) * (1 + k % 5);
#else
        sum += fabs(v[k]) * (1 + k / cells);
#endif
    report("ssor", t.best, sum);
    return 0;
}
