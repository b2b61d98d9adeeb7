// Artificial viscosity in 144^3 hexahedra of an unstructured mesh, double: gradients of velocity along three directions from eight nodes, then limits by
// the neighbours' gradients with conditions at the borders.
#include "../kernels.h"

enum { SIDE = 144, XM_SYMM = 1, XM_FREE = 2, XP_SYMM = 4, XP_FREE = 8 };
#define TINY 1e-36
#define QLIMIT 2.0
#define LINEAR 0.5
#define SQUARE (2.0 / 3.0)

#if SPELLING == 1
#define LOW(f) (0.25 * (f[n0] + f[n1] + f[n5] + f[n4] - f[n3] - f[n2] - f[n7] - f[n6]))
#define EAST(f) (0.25 * (f[n1] + f[n2] + f[n6] + f[n5] - f[n0] - f[n3] - f[n7] - f[n4]))
#define HIGH(f) (0.25 * (f[n4] + f[n5] + f[n6] + f[n7] - f[n0] - f[n1] - f[n2] - f[n3]))

static void gradients(int elements, int nodes, const int *restrict corner, const double *restrict x, const double *restrict y, const double *restrict z,
                      const double *restrict u, const double *restrict v, const double *restrict w, const double *restrict volume, double *restrict length,
                      double *restrict slope)
{
#pragma acc parallel loop present(corner[0:8 * elements], x[0:nodes], y[0:nodes], z[0:nodes], u[0:nodes], v[0:nodes], w[0:nodes], volume[0:elements], \
                                      length[0:3 * elements], slope[0:3 * elements])
#pragma omp parallel for
    for (int e = 0; e < elements; e++) {
        int n0 = corner[8 * e], n1 = corner[8 * e + 1], n2 = corner[8 * e + 2], n3 = corner[8 * e + 3];
        int n4 = corner[8 * e + 4], n5 = corner[8 * e + 5], n6 = corner[8 * e + 6], n7 = corner[8 * e + 7];
        double vol = volume[e], norm = 1.0 / (vol + TINY);
        double xj = -LOW(x), yj = -LOW(y), zj = -LOW(z), xi = EAST(x), yi = EAST(y), zi = EAST(z), xk = HIGH(x), yk = HIGH(y), zk = HIGH(z);
        double ax = yi * zj - zi * yj, ay = zi * xj - xi * zj, az = xi * yj - yi * xj;
        length[2 * elements + e] = vol / sqrt(ax * ax + ay * ay + az * az + TINY);
        slope[2 * elements + e] = norm * (ax * HIGH(u) + ay * HIGH(v) + az * HIGH(w));
        ax = yj * zk - zj * yk, ay = zj * xk - xj * zk, az = xj * yk - yj * xk;
        length[e] = vol / sqrt(ax * ax + ay * ay + az * az + TINY);
        slope[e] = norm * (ax * EAST(u) + ay * EAST(v) + az * EAST(w));
        ax = yk * zi - zk * yi, ay = zk * xi - xk * zi, az = xk * yi - yk * xi;
        length[elements + e] = vol / sqrt(ax * ax + ay * ay + az * az + TINY);
        slope[elements + e] = -norm * (ax * LOW(u) + ay * LOW(v) + az * LOW(w));
    }
}

static void viscosity(int elements, const int *restrict neighbour, const int *restrict border, const double *restrict length, const double *restrict slope,
                      const double *restrict density, double *restrict linear, double *restrict square)
{
#pragma acc parallel loop present(neighbour[0:6 * elements], border[0:3 * elements], length[0:3 * elements], slope[0:3 * elements], density[0:elements], \
                                      linear[0:elements], square[0:elements])
#pragma omp parallel for
    for (int e = 0; e < elements; e++) {
        double ql = 0, qs = 0;
#pragma acc loop seq
        for (int d = 0; d < 3; d++) {
            int mask = border[d * elements + e];
            double mine = slope[d * elements + e], norm = 1.0 / (mine + TINY), minus, plus;
            switch (mask & (XM_SYMM | XM_FREE)) {
            case XM_SYMM: minus = mine; break;
            case XM_FREE: minus = 0; break;
            default: minus = slope[d * elements + neighbour[2 * d * elements + e]]; break;
            }
            switch (mask & (XP_SYMM | XP_FREE)) {
            case XP_SYMM: plus = mine; break;
            case XP_FREE: plus = 0; break;
            default: plus = slope[d * elements + neighbour[(2 * d + 1) * elements + e]]; break;
            }
            minus *= norm;
            plus *= norm;
            double phi = 0.5 * (minus + plus);
            minus *= QLIMIT;
            plus *= QLIMIT;
            if (minus < phi)
                phi = minus;
            if (plus < phi)
                phi = plus;
            if (phi < 0)
                phi = 0;
            if (phi > 1)
                phi = 1;
            double jump = mine * length[d * elements + e];
            if (jump > 0)
                jump = 0;
            ql += jump * (1 - phi);
            qs += jump * jump * (1 - phi * phi);
        }
        linear[e] = -LINEAR * density[e] * ql;
        square[e] = SQUARE * density[e] * qs;
    }
}

static void both(int elements, int nodes, int *corner, double *at[3], double *speed[3], double *volume, double *length, double *slope, int *neighbour,
                 int *border, double *density, double *linear, double *square)
{
    gradients(elements, nodes, corner, at[0], at[1], at[2], speed[0], speed[1], speed[2], volume, length, slope);
    viscosity(elements, neighbour, border, length, slope, density, linear, square);
}
#else
typedef long Index;
struct vector { double x, y, z; };

static void side(const double *f, const int *corner, double of[3])
{
    double g[8];
    for (int c = 0; c < 8; ++c)
        g[c] = f[corner[c]];
    of[0] = 0.25 * ((g[1] + g[2] + g[6] + g[5]) - (g[0] + g[3] + g[7] + g[4]));
    of[1] = 0.25 * ((g[3] + g[2] + g[7] + g[6]) - (g[0] + g[1] + g[5] + g[4]));
    of[2] = 0.25 * ((g[4] + g[5] + g[6] + g[7]) - (g[0] + g[1] + g[2] + g[3]));
}

static double limited(double mine, double minus, double plus)
{
    double norm = 1. / (mine + TINY), phi;
    minus = minus * norm;
    plus = plus * norm;
    phi = .5 * (minus + plus);
    phi = fmin(phi, fmin(minus * QLIMIT, plus * QLIMIT));
    return fmax(0., fmin(phi, 1.));
}

static void both(Index elements, Index nodes, int *corner, double *at[3], double *speed[3], double *volume, double *length_, double *slope_, int *neighbour_,
                 int *border_, double *density, double *linear, double *square)
{
    double *x = at[0], *y = at[1], *z = at[2], *u = speed[0], *v = speed[1], *w = speed[2], (*length)[elements] = (void *)length_,
           (*slope)[elements] = (void *)slope_;
    int(*neighbour)[2][elements] = (void *)neighbour_, (*border)[elements] = (void *)border_;
#pragma acc kernels present(corner[0:8 * elements], x[0:nodes], y[0:nodes], z[0:nodes], u[0:nodes], v[0:nodes], w[0:nodes], volume[0:elements], \
                                length[0:3], slope[0:3], neighbour[0:3], border[0:3], density[0:elements], linear[0:elements], square[0:elements])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (Index e = 0; e < elements; ++e) {
            const int *c = corner + 8 * e;
            double dx[3], dy[3], dz[3], du[3], dv[3], dw[3];
            side(x, c, dx);
            side(y, c, dy);
            side(z, c, dz);
            side(u, c, du);
            side(v, c, dv);
            side(w, c, dw);
            for (int d = 0; d < 3; ++d) {
                int p = (d + 1) % 3, q = (d + 2) % 3;
                struct vector a = {dy[p] * dz[q] - dz[p] * dy[q], dz[p] * dx[q] - dx[p] * dz[q], dx[p] * dy[q] - dy[p] * dx[q]};
                length[d][e] = volume[e] / sqrt(a.x * a.x + a.y * a.y + a.z * a.z + TINY);
                slope[d][e] = (a.x * du[d] + a.y * dv[d] + a.z * dw[d]) / (volume[e] + TINY);
            }
        }
#pragma acc loop independent
#pragma omp parallel for
        for (Index e = 0; e < elements; ++e) {
            double sums[2] = {0, 0};
            for (int d = 0; d < 3; ++d) {
                const int mask = border[d][e];
                double minus = mask & XM_SYMM ? slope[d][e] : mask & XM_FREE ? 0 : slope[d][neighbour[d][0][e]];
                double plus = mask & XP_SYMM ? slope[d][e] : mask & XP_FREE ? 0 : slope[d][neighbour[d][1][e]];
                double phi = limited(slope[d][e], minus, plus), jump = fmin(slope[d][e] * length[d][e], 0);
                sums[0] += jump * (1 - phi);
                sums[1] += jump * jump * (1 - phi * phi);
            }
            linear[e] = -LINEAR * density[e] * sums[0];
            square[e] = SQUARE * density[e] * sums[1];
        }
    }
}
#endif

static void mesh(int s, int *corner, double *at[3], double *speed[3], double *volume, int *neighbour, int *border, double *density)
{
    int m = s + 1, elements = s * s * s, step[3] = {1, s, s * s};
    for (int k = 0; k < m; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++) {
                int n = (k * m + j) * m + i, place[3] = {i, j, k};
                for (int c = 0; c < 3; c++) {
                    at[c][n] = place[c] + 0.2 * number(3 * n + c);
                    speed[c][n] = number(3 * n + c + 7000001) - 0.02 * place[c];
                }
            }
    for (int e = 0; e < elements; e++) {
        int place[3] = {e % s, e / s % s, e / s / s}, n = (place[2] * m + place[1]) * m + place[0];
        int c[8] = {n, n + 1, n + m + 1, n + m, n + m * m, n + m * m + 1, n + m * m + m + 1, n + m * m + m};
        for (int k = 0; k < 8; k++)
            corner[8 * e + k] = c[k];
        volume[e] = 0.8 + 0.4 * number(e);
        density[e] = 1 + number(e + 5);
        for (int d = 0; d < 3; d++) {
            neighbour[2 * d * elements + e] = place[d] > 0 ? e - step[d] : e;
            neighbour[(2 * d + 1) * elements + e] = place[d] < s - 1 ? e + step[d] : e;
            border[d * elements + e] = (place[d] == 0 ? XM_SYMM : 0) | (place[d] == s - 1 ? XP_FREE : 0);
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int s = SIDE >> (args.shift + 2) / 3, elements = s * s * s, nodes = (s + 1) * (s + 1) * (s + 1);
    int *corner = NEW(int, 8 * elements), *neighbour = NEW(int, 6 * elements), *border = NEW(int, 3 * elements);
    double *at[3], *speed[3], *volume = NEW(double, elements), *density = NEW(double, elements), *length = NEW(double, 3 * elements),
                              *slope = NEW(double, 3 * elements), *linear = NEW(double, elements), *square = NEW(double, elements), sum = 0;
    for (int c = 0; c < 3; c++) {
        at[c] = NEW(double, nodes);
        speed[c] = NEW(double, nodes);
    }
    mesh(s, corner, at, speed, volume, neighbour, border, density);
    for (int c = 0; c < 3; c++) {
        double *a = at[c], *b = speed[c];
#pragma acc enter data copyin(a[0:nodes], b[0:nodes])
    }
#pragma acc enter data copyin(corner[0:8 * elements], neighbour[0:6 * elements], border[0:3 * elements], volume[0:elements], density[0:elements])
#pragma acc enter data create(length[0:3 * elements], slope[0:3 * elements], linear[0:elements], square[0:elements])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        both(elements, nodes, corner, at, speed, volume, length, slope, neighbour, border, density, linear, square);
#pragma acc update self(linear[0:elements], square[0:elements])
    SUM(sum, linear, elements);
    SUM(sum, square, elements);
    report("monotonic", t.best, sum);
    return 0;
}
