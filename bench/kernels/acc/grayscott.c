// Ten steps of two substances that react and diffuse (Gray and Scott) in 192^3 periodic cells, double.
#include "../kernels.h"

enum { SIDE = 192, STEPS = 10 };
#define DU 0.2
#define DV 0.1
#define FEED 0.02
#define KILL 0.048
#define DT 1.0

#if SPELLING == 1
static void react(int n, const double *restrict u0, const double *restrict v0, double *restrict u, double *restrict v, double *restrict u2, double *restrict v2)
{
    int all = n * n * n;
#pragma acc data present(u0[0:all], v0[0:all], u[0:all], v[0:all], u2[0:all], v2[0:all])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < all; k++) {
            u[k] = u0[k];
            v[k] = v0[k];
        }
        for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop collapse(3)
#pragma omp parallel for
            for (int z = 0; z < n; z++)
                for (int y = 0; y < n; y++)
                    for (int x = 0; x < n; x++) {
                        int at = (z * n + y) * n + x;
                        int west = (z * n + y) * n + (x + n - 1) % n, east = (z * n + y) * n + (x + 1) % n;
                        int south = (z * n + (y + n - 1) % n) * n + x, north = (z * n + (y + 1) % n) * n + x;
                        int below = ((z + n - 1) % n * n + y) * n + x, above = ((z + 1) % n * n + y) * n + x;
                        double lu = (u[west] + u[east] + u[south] + u[north] + u[below] + u[above] - 6 * u[at]) / 6;
                        double lv = (v[west] + v[east] + v[south] + v[north] + v[below] + v[above] - 6 * v[at]) / 6;
                        double r = u[at] * v[at] * v[at];
                        u2[at] = u[at] + DT * (DU * lu - r + FEED * (1 - u[at]));
                        v2[at] = v[at] + DT * (DV * lv + r - (FEED + KILL) * v[at]);
                    }
            double *swap = u;
            u = u2;
            u2 = swap;
            swap = v;
            v = v2;
            v2 = swap;
        }
    }
}
#else
#define LAPLACIAN(f) ((f[z][y][xm] + f[z][y][xp] + f[z][ym][x] + f[z][yp][x] + f[zm][y][x] + f[zp][y][x]) / 6 - f[z][y][x])

static void react(size_t n, double u0[n][n][n], double v0[n][n][n], double u[2][n][n][n], double v[2][n][n][n])
{
#pragma acc kernels present(u0[0:n], v0[0:n], u[0:2], v[0:2])
#pragma acc loop independent
    for (size_t z = 0; z < n; ++z)
#pragma acc loop independent
        for (size_t y = 0; y < n; ++y)
#pragma acc loop independent
            for (size_t x = 0; x < n; ++x) {
                u[0][z][y][x] = u0[z][y][x];
                v[0][z][y][x] = v0[z][y][x];
            }
    for (int step = 0; step < STEPS; ++step) {
        int a = step % 2, b = 1 - a;
#pragma acc parallel loop gang present(u[0:2], v[0:2])
#pragma omp parallel for
        for (size_t z = 0; z < n; ++z) {
            size_t zm = z == 0 ? n - 1 : z - 1, zp = z == n - 1 ? 0 : z + 1;
#pragma acc loop worker
            for (size_t y = 0; y < n; ++y) {
                size_t ym = y == 0 ? n - 1 : y - 1, yp = y == n - 1 ? 0 : y + 1;
#pragma acc loop vector
                for (size_t x = 0; x < n; ++x) {
                    size_t xm = x == 0 ? n - 1 : x - 1, xp = x == n - 1 ? 0 : x + 1;
                    double lu = LAPLACIAN(u[a]), lv = LAPLACIAN(v[a]), uu = u[a][z][y][x], vv = v[a][z][y][x], r = uu * vv * vv;
                    u[b][z][y][x] = uu + DT * (DU * lu - r + FEED * (1 - uu));
                    v[b][z][y][x] = vv + DT * (DV * lv + r - (FEED + KILL) * vv);
                }
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n;
    double *u0 = NEW(double, all), *v0 = NEW(double, all), *u = NEW(double, 2 * all), *v = NEW(double, 2 * all), sum = 0;
    FILL(u0, all, 1);
    for (int k = 0; k < all; k++)
        v0[k] = 0.5 * number(k + 99);
    double *u2 = u + all, *v2 = v + all;
#pragma acc enter data copyin(u0[0:all], v0[0:all]) create(u[0:2 * all], v[0:2 * all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        react(n, u0, v0, u, v, u2, v2);
#else
        react(n, (void *)u0, (void *)v0, (void *)u, (void *)v);
#endif
    }
#pragma acc update self(u[0:all], v[0:all])
    SUM(sum, u, all);
    SUM(sum, v, all);
    report("grayscott", t.best, sum);
    return 0;
}
