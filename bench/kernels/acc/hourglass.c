// Forces against hourglass modes in the 64^3 hexahedral elements of a mesh, double: four modes of eight nodes each, gathered from and
// added atomically to the nodes.
#include "../kernels.h"

enum { EDGE = 64 };

static const double gamma_of[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                      {1, -1, -1, 1, -1, 1, 1, -1},
                                      {1, -1, 1, -1, 1, -1, 1, -1},
                                      {-1, 1, -1, 1, 1, -1, 1, -1}};

#if SPELLING == 1
static void hourglass(int n, int nodes, const int *restrict list, const double *restrict x, const double *restrict y,
                      const double *restrict z, const double *restrict vx, const double *restrict vy, const double *restrict vz,
                      const double *restrict dvdx, const double *restrict dvdy, const double *restrict dvdz,
                      const double *restrict volume, const double *restrict mass, double *restrict fx, double *restrict fy,
                      double *restrict fz)
{
#pragma acc parallel loop present(fx[0:nodes], fy[0:nodes], fz[0:nodes])
#pragma omp parallel for
    for (int k = 0; k < nodes; k++)
        fx[k] = fy[k] = fz[k] = 0;
#pragma acc parallel loop gang vector copyin(gamma_of)                                                                 \
    present(list[0:8 * n], x[0:nodes], y[0:nodes], z[0:nodes], vx[0:nodes], vy[0:nodes], vz[0:nodes], dvdx[0:8 * n],  \
                dvdy[0:8 * n], dvdz[0:8 * n], volume[0:n], mass[0:n], fx[0:nodes], fy[0:nodes], fz[0:nodes])
#pragma omp parallel for
    for (int e = 0; e < n; e++) {
        double modes[8][4], inverse = 1 / volume[e], factor = -0.03 * mass[e] / cbrt(volume[e]);
        double hx[4], hy[4], hz[4];
        for (int m = 0; m < 4; m++) {
            double sx = 0, sy = 0, sz = 0;
            for (int k = 0; k < 8; k++) {
                int node = list[k * n + e];
                sx += x[node] * gamma_of[m][k];
                sy += y[node] * gamma_of[m][k];
                sz += z[node] * gamma_of[m][k];
            }
            for (int k = 0; k < 8; k++)
                modes[k][m] = gamma_of[m][k] - inverse * (dvdx[k * n + e] * sx + dvdy[k * n + e] * sy + dvdz[k * n + e] * sz);
        }
        for (int m = 0; m < 4; m++) {
            hx[m] = hy[m] = hz[m] = 0;
            for (int k = 0; k < 8; k++) {
                hx[m] += modes[k][m] * vx[list[k * n + e]];
                hy[m] += modes[k][m] * vy[list[k * n + e]];
                hz[m] += modes[k][m] * vz[list[k * n + e]];
            }
        }
        for (int k = 0; k < 8; k++) {
            int node = list[k * n + e];
            double px = 0, py = 0, pz = 0;
            for (int m = 0; m < 4; m++) {
                px += modes[k][m] * hx[m];
                py += modes[k][m] * hy[m];
                pz += modes[k][m] * hz[m];
            }
#pragma acc atomic update
#pragma omp atomic
            fx[node] += factor * px;
#pragma acc atomic update
#pragma omp atomic
            fy[node] += factor * py;
#pragma acc atomic update
#pragma omp atomic
            fz[node] += factor * pz;
        }
    }
}
#else
static void gather(double out[8], const double *in, const int nodes[8])
{
    for (int k = 0; k < 8; ++k)
        out[k] = in[nodes[k]];
}

static double along(const double *row, const double *values)
{
    double sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += row[k] * values[k];
    return sum;
}

// modes[4][8] here, so that a mode is a row
static void forces(double modes[4][8], const double *v, double factor, double *f, const int nodes[8])
{
    double h[4];
    for (int m = 0; m < 4; ++m)
        h[m] = along(modes[m], v);
    for (int k = 0; k < 8; ++k) {
        double push = factor * (modes[0][k] * h[0] + modes[1][k] * h[1] + modes[2][k] * h[2] + modes[3][k] * h[3]);
#pragma acc atomic
#pragma omp atomic
        f[nodes[k]] += push;
    }
}

static void hourglass(long n, long nodes, int *list_, double *x, double *y, double *z, double *vx, double *vy, double *vz,
                      double *dvdx_, double *dvdy_, double *dvdz_, double *volume, double *mass, double *fx, double *fy, double *fz)
{
    int(*list)[n] = (int(*)[n])list_;
    double(*dvdx)[n] = (double(*)[n])dvdx_, (*dvdy)[n] = (double(*)[n])dvdy_, (*dvdz)[n] = (double(*)[n])dvdz_;
#pragma acc data present(list[0:8], x[0:nodes], y[0:nodes], z[0:nodes], vx[0:nodes], vy[0:nodes], vz[0:nodes], dvdx[0:8], dvdy[0:8], \
                         dvdz[0:8], volume[0:n], mass[0:n], fx[0:nodes], fy[0:nodes], fz[0:nodes])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (long k = 0; k < nodes; ++k) {
            fx[k] = 0;
            fy[k] = 0;
            fz[k] = 0;
        }
#pragma acc parallel loop
#pragma omp parallel for
        for (long e = 0; e < n; ++e) {
            int at[8];
            double a[8], b[8], c[8], modes[4][8];
            for (int k = 0; k < 8; ++k)
                at[k] = list[k][e];
            gather(a, x, at);
            gather(b, y, at);
            gather(c, z, at);
            for (int m = 0; m < 4; ++m) {
                double sx = along(gamma_of[m], a), sy = along(gamma_of[m], b), sz = along(gamma_of[m], c);
                for (int k = 0; k < 8; ++k)
                    modes[m][k] = gamma_of[m][k] - (dvdx[k][e] * sx + dvdy[k][e] * sy + dvdz[k][e] * sz) / volume[e];
            }
            double factor = -0.03 * mass[e] / cbrt(volume[e]);
            gather(a, vx, at);
            gather(b, vy, at);
            gather(c, vz, at);
            forces(modes, a, factor, fx, at);
            forces(modes, b, factor, fy, at);
            forces(modes, c, factor, fz, at);
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int edge = EDGE, deep = EDGE >> args.shift, n = edge * edge * deep, side = edge + 1, nodes = side * side * (deep + 1);
    int *list = NEW(int, 8 * n);
    double *x = NEW(double, nodes), *y = NEW(double, nodes), *z = NEW(double, nodes), *v = NEW(double, 3 * nodes), *vx = v,
           *vy = v + nodes, *vz = v + 2 * nodes, *dv = NEW(double, 24 * n), *dvdx = dv, *dvdy = dv + 8 * n, *dvdz = dv + 16 * n,
           *volume = NEW(double, n), *mass = NEW(double, n), *fx = NEW(double, nodes), *fy = NEW(double, nodes),
           *fz = NEW(double, nodes), sum = 0;
    for (int e = 0; e < n; e++) {
        int i = e % edge, j = e / edge % edge, k = e / edge / edge, low = (k * side + j) * side + i, high = low + side * side;
        int corner[8] = {low, low + 1, low + side + 1, low + side, high, high + 1, high + side + 1, high + side};
        for (int c = 0; c < 8; c++)
            list[c * n + e] = corner[c];
        volume[e] = 0.5 + number(e);
        mass[e] = 1 + number(e + 1);
    }
    for (int k = 0; k < nodes; k++) {
        x[k] = k % side + 0.2 * number(k);
        y[k] = k / side % side + 0.2 * number(k + 1);
        z[k] = k / side / side + 0.2 * number(k + 2);
    }
    FILL(v, 3 * nodes, 2);
    FILL(dv, 24 * n, 0.2);
#pragma acc enter data copyin(list[0:8 * n], x[0:nodes], y[0:nodes], z[0:nodes], v[0:3 * nodes], dv[0:24 * n], volume[0:n], mass[0:n]) \
    create(fx[0:nodes], fy[0:nodes], fz[0:nodes])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        hourglass(n, nodes, list, x, y, z, vx, vy, vz, dvdx, dvdy, dvdz, volume, mass, fx, fy, fz);
#pragma acc update self(fx[0:nodes], fy[0:nodes], fz[0:nodes])
    for (int k = 0; k < nodes; k++)
        sum += fabs(fx[k]) + fabs(fy[k]) + fabs(fz[k]);
    report("hourglass", t.best, sum);
    return 0;
}
