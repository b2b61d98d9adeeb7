// Two V-cycles of multigrid for Poisson's equation on 129^3 points, double: two damped sweeps on each level, the residual and its full weighting onto
// half as many points, what they say added between the points, two sweeps more; down to 5^3 points.
#include "../kernels.h"

enum { SIZE = 128, CYCLES = 2, LOWEST = 4, LAST_SWEEPS = 16, MOST_LEVELS = 8 };

#define DAMPING (6.0 / 7)

#if SPELLING == 1
static void smooth(int n, const double *restrict u, const double *restrict f, double *restrict out)
{
    int m = n + 1, all = m * m * m;
    double square = 1.0 / n / n;
#pragma acc parallel loop collapse(3) present(u[0:all], f[0:all], out[0:all])
#pragma omp parallel for collapse(2)
    for (int z = 1; z < n; z++)
        for (int y = 1; y < n; y++)
            for (int x = 1; x < n; x++) {
                int c = (z * m + y) * m + x;
                double near = u[c - 1] + u[c + 1] + u[c - m] + u[c + m] + u[c - m * m] + u[c + m * m];
                out[c] = u[c] + DAMPING * ((near + square * f[c]) / 6 - u[c]);
            }
}

static void residual(int n, const double *restrict u, const double *restrict f, double *restrict r)
{
    int m = n + 1, all = m * m * m;
    double by = (double)n * n;
#pragma acc parallel loop collapse(3) present(u[0:all], f[0:all], r[0:all])
#pragma omp parallel for collapse(2)
    for (int z = 1; z < n; z++)
        for (int y = 1; y < n; y++)
            for (int x = 1; x < n; x++) {
                int c = (z * m + y) * m + x;
                double near = u[c - 1] + u[c + 1] + u[c - m] + u[c + m] + u[c - m * m] + u[c + m * m];
                r[c] = f[c] + by * (near - 6 * u[c]);
            }
}

static void restriction(int n, const double *restrict r, double *restrict f, double *restrict u)
{
    int m = n + 1, all = m * m * m, fine = 2 * n + 1, many = fine * fine * fine;
#pragma acc parallel loop collapse(3) present(r[0:many], f[0:all], u[0:all])
#pragma omp parallel for collapse(2)
    for (int z = 1; z < n; z++)
        for (int y = 1; y < n; y++)
            for (int x = 1; x < n; x++) {
                double sum = 0;
                for (int k = -1; k <= 1; k++)
                    for (int j = -1; j <= 1; j++)
                        for (int i = -1; i <= 1; i++)
                            sum += (2 - abs(k)) * (2 - abs(j)) * (2 - abs(i)) * r[((2 * z + k) * fine + 2 * y + j) * fine + 2 * x + i];
                f[(z * m + y) * m + x] = sum / 64;
                u[(z * m + y) * m + x] = 0;
            }
}

static void prolong(int n, const double *restrict coarse, double *restrict u)
{
    int m = n + 1, all = m * m * m, half = n / 2 + 1, few = half * half * half;
#pragma acc parallel loop collapse(3) present(coarse[0:few], u[0:all])
#pragma omp parallel for collapse(2)
    for (int z = 1; z < n; z++)
        for (int y = 1; y < n; y++)
            for (int x = 1; x < n; x++) {
                int c = (z / 2 * half + y / 2) * half + x / 2, i = x % 2, j = y % 2 * half, k = z % 2 * half * half;
                u[(z * m + y) * m + x] += 0.125 * (coarse[c] + coarse[c + i] + coarse[c + j] + coarse[c + i + j] + coarse[c + k] +
                                                   coarse[c + i + k] + coarse[c + j + k] + coarse[c + i + j + k]);
            }
}

// Levels lie one behind the other.
static void cycle(int n, double *u, double *f, double *scratch, double *r)
{
    int all = (n + 1) * (n + 1) * (n + 1), sweeps = n == LOWEST ? LAST_SWEEPS : 2;
    for (int s = 0; s < sweeps; s += 2) {
        smooth(n, u, f, scratch);
        smooth(n, scratch, f, u);
    }
    if (n == LOWEST)
        return;
    residual(n, u, f, r);
    restriction(n / 2, r, f + all, u + all);
    cycle(n / 2, u + all, f + all, scratch + all, r + all);
    prolong(n, u + all, u);
    smooth(n, u, f, scratch);
    smooth(n, scratch, f, u);
}

static double solve(int n, double *u, double *f, double *scratch, double *r)
{
    int all = (n + 1) * (n + 1) * (n + 1);
    double norm = 0;
#pragma acc parallel loop present(u[0:all])
#pragma omp parallel for
    for (int c = 0; c < all; c++)
        u[c] = 0;
    for (int k = 0; k < CYCLES; k++)
        cycle(n, u, f, scratch, r);
    residual(n, u, f, r);
#pragma acc parallel loop reduction(+ : norm) present(r[0:all])
#pragma omp parallel for reduction(+ : norm)
    for (int c = 0; c < all; c++)
        norm += r[c] * r[c];
    return sqrt(norm / all);
}
#else
struct grid { size_t n; double *u, *f, *scratch, *r; };

#define CUBE(type, name, p) type(*name)[m][m] = (type(*)[m][m])(p)
#define INNER(v) (size_t v = 1; v < m - 1; ++v)
#define STAR(u) (u[z][y][x - 1] + u[z][y][x + 1] + u[z][y - 1][x] + u[z][y + 1][x] + u[z - 1][y][x] + u[z + 1][y][x])

static void smooth(const struct grid *g, const double *from, double *to)
{
    const size_t m = g->n + 1;
    const double square = 1.0 / (double)(g->n * g->n);
    CUBE(const double, u, from);
    CUBE(const double, f, g->f);
    CUBE(double, out, to);
#pragma acc kernels present(u[0:m], f[0:m], out[0:m])
#pragma acc loop independent gang
#pragma omp parallel for
    for INNER(z)
#pragma acc loop independent gang worker
        for INNER(y)
#pragma acc loop independent vector
            for INNER(x)
                out[z][y][x] = (1.0 - DAMPING) * u[z][y][x] + DAMPING / 6 * (STAR(u) + square * f[z][y][x]);
}

static void residual(const struct grid *g)
{
    const size_t m = g->n + 1;
    const double by = (double)(g->n * g->n);
    CUBE(const double, u, g->u);
    CUBE(const double, f, g->f);
    CUBE(double, r, g->r);
#pragma acc kernels loop independent collapse(3) present(u[0:m], f[0:m], r[0:m])
#pragma omp parallel for collapse(2)
    for INNER(z)
        for INNER(y)
            for INNER(x)
                r[z][y][x] = f[z][y][x] - by * (6.0 * u[z][y][x] - STAR(u));
}

// Weights 1, 2, 1 along a line.
#pragma acc routine seq
static double line(const double *p)
{
    return p[-1] + 2.0 * p[0] + p[1];
}

#pragma acc routine seq
static double square(const double *p, size_t row)
{
    return line(p - row) + 2.0 * line(p) + line(p + row);
}

static void down(const struct grid *g, const struct grid *to)
{
    const size_t w = g->n + 1, m = to->n + 1, fine = w * w * w, coarse = m * m * m;
    const double *r = g->r;
    double *f = to->f, *u = to->u;
#pragma acc parallel loop tile(32, 2, 2) present(r[0:fine], f[0:coarse], u[0:coarse])
#pragma omp parallel for collapse(2)
    for INNER(z)
        for INNER(y)
            for INNER(x) {
                const double *p = r + (2 * z * w + 2 * y) * w + 2 * x;
                const size_t c = (z * m + y) * m + x;
                f[c] = (square(p - w * w, w) + 2.0 * square(p, w) + square(p + w * w, w)) / 64.0;
                u[c] = 0.0;
            }
}

static void up(const struct grid *g, const struct grid *from)
{
    const size_t m = g->n + 1, half = from->n + 1;
    CUBE(double, u, g->u);
    const double(*e)[half][half] = (const double(*)[half][half])from->u;
#pragma acc parallel loop gang collapse(2) present(u[0:m], e[0:half])
#pragma omp parallel for collapse(2)
    for INNER(z)
        for INNER(y) {
            const size_t z0 = z / 2, z1 = (z + 1) / 2, y0 = y / 2, y1 = (y + 1) / 2;
#pragma acc loop vector
            for INNER(x) {
                const size_t x0 = x / 2;
                double a = 0.25 * (e[z0][y0][x0] + e[z0][y1][x0] + e[z1][y0][x0] + e[z1][y1][x0]);
                if (x & 1) {
                    const double b = 0.25 * (e[z0][y0][x0 + 1] + e[z0][y1][x0 + 1] + e[z1][y0][x0 + 1] + e[z1][y1][x0 + 1]);
                    a = 0.5 * (a + b);
                }
                u[z][y][x] += a;
            }
        }
}

static double solve(const struct grid *grids, int levels)
{
    const size_t m = grids->n + 1, all = m * m * m;
    double norm = 0.0, *u = grids->u, *r = grids->r;
#pragma acc kernels loop independent present(u[0:all])
#pragma omp parallel for
    for (size_t c = 0; c < all; ++c)
        u[c] = 0.0;
    for (int k = 0; k < CYCLES; ++k) {
        for (int l = 0; l < levels; ++l) {
            const struct grid *g = &grids[l];
            for (int s = l == levels - 1 ? LAST_SWEEPS : 2; s > 0; s -= 2) {
                smooth(g, g->u, g->scratch);
                smooth(g, g->scratch, g->u);
            }
            if (l < levels - 1) {
                residual(g);
                down(g, g + 1);
            }
        }
        for (int l = levels - 1; l-- > 0;) {
            const struct grid *g = &grids[l];
            up(g, g + 1);
            smooth(g, g->u, g->scratch);
            smooth(g, g->scratch, g->u);
        }
    }
    residual(grids);
#pragma acc kernels loop independent reduction(+ : norm) present(r[0:all])
#pragma omp parallel for reduction(+ : norm)
    for (size_t c = 0; c < all; ++c)
        norm += r[c] * r[c];
    return sqrt(norm / all);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIZE >> (args.shift + 2) / 3, all = (n + 1) * (n + 1) * (n + 1), total = 0;
    for (int k = n; k >= LOWEST; k /= 2)
        total += (k + 1) * (k + 1) * (k + 1);
    double *f = NEW(double, total), *u = NEW(double, total), norm = 0, sum = 0;
    for (int c = 0; c < total; c++)
        u[c] = f[c] = 0;
    for (int c = 0; c < all; c++)
        f[c] = 1 + 4 * number(c);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *scratch = NEW(double, total), *r = NEW(double, total);
    for (int c = 0; c < total; c++)
        scratch[c] = r[c] = 0;
#pragma acc enter data copyin(u[0:total], f[0:total], scratch[0:total], r[0:total])
    while (lap(&t))
        norm = solve(n, u, f, scratch, r);
#pragma acc update self(u[0:all])
#else
    struct grid grids[MOST_LEVELS];
    int levels = 0;
    for (size_t k = n, c = 0; k >= LOWEST; c += (k + 1) * (k + 1) * (k + 1), k /= 2) {
        const size_t points = (k + 1) * (k + 1) * (k + 1);
        double *level_u = u + c, *level_f = f + c, *scratch = calloc(points, sizeof(double)), *r = calloc(points, sizeof(double));
#pragma acc enter data copyin(level_u[0:points], level_f[0:points], scratch[0:points], r[0:points])
        grids[levels++] = (struct grid){k, level_u, level_f, scratch, r};
    }
    while (lap(&t))
        norm = solve(grids, levels);
#pragma acc update self(u[0:all])
#endif
    SUM(sum, u, all);
    report("vcycle", t.best, sum + 1000 * norm);
    return 0;
}
