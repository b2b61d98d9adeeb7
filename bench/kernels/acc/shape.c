// Hexahedral elements of an unstructured mesh, 96^3 of them, double: gradients of the shape functions and the volume of each, from
// its eight corners, and the forces of a pressure on them.
#include "../kernels.h"

enum { SIDE = 96 };

#if SPELLING == 1
static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void gradients(const double x[8], const double y[8], const double z[8], double b[3][8], double *volume)
{
    const double *c[3] = {x, y, z};
    double j[3][3], normal[3][3];
    for (int d = 0; d < 3; d++) {
        double t0 = c[d][6] - c[d][0], t1 = c[d][5] - c[d][3], t2 = c[d][7] - c[d][1], t3 = c[d][4] - c[d][2];
        j[0][d] = 0.125 * (t0 + t1 - t2 - t3);
        j[1][d] = 0.125 * (t0 - t1 + t2 - t3);
        j[2][d] = 0.125 * (t0 + t1 + t2 + t3);
    }
    cross(j[1], j[2], normal[0]);
    cross(j[2], j[0], normal[1]);
    cross(j[0], j[1], normal[2]);
    for (int d = 0; d < 3; d++) {
        b[d][0] = -normal[0][d] - normal[1][d] - normal[2][d];
        b[d][1] = normal[0][d] - normal[1][d] - normal[2][d];
        b[d][2] = normal[0][d] + normal[1][d] - normal[2][d];
        b[d][3] = -normal[0][d] + normal[1][d] - normal[2][d];
        b[d][4] = -b[d][2];
        b[d][5] = -b[d][3];
        b[d][6] = -b[d][0];
        b[d][7] = -b[d][1];
    }
    *volume = 8 * (j[1][0] * normal[1][0] + j[1][1] * normal[1][1] + j[1][2] * normal[1][2]);
}

static void forces(int elements, int nodes, const int *restrict corners, const double *restrict x, const double *restrict y,
                   const double *restrict z, const double *restrict pressure, double *restrict volume, double *restrict f)
{
#pragma acc parallel loop present(corners[0:8 * elements], x[0:nodes], y[0:nodes], z[0:nodes], pressure[0:elements], \
                                      volume[0:elements], f[0:24 * elements])
#pragma omp parallel for
    for (int e = 0; e < elements; e++) {
        double xl[8], yl[8], zl[8], b[3][8];
        for (int k = 0; k < 8; k++) {
            int node = corners[k * elements + e];
            xl[k] = x[node];
            yl[k] = y[node];
            zl[k] = z[node];
        }
        gradients(xl, yl, zl, b, &volume[e]);
        for (int d = 0; d < 3; d++)
            for (int k = 0; k < 8; k++)
                f[(d * 8 + k) * elements + e] = pressure[e] * b[d][k];
    }
}
#else
struct point { double x, y, z; };
typedef struct { struct point corner[8]; } element;

static struct point plus(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y, a.z + b.z}; }
static struct point minus(struct point a, struct point b) { return (struct point){a.x - b.x, a.y - b.y, a.z - b.z}; }
static struct point times(double s, struct point a) { return (struct point){s * a.x, s * a.y, s * a.z}; }
static double dot(struct point a, struct point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static struct point normal(struct point a, struct point b)
{
    struct point n = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return n;
}

static double gradients(const element *el, struct point b[8])
{
    const struct point *c = el->corner;
    struct point t0 = minus(c[6], c[0]), t1 = minus(c[5], c[3]), t2 = minus(c[7], c[1]), t3 = minus(c[4], c[2]);
    struct point xi = times(0.125, minus(plus(t0, t1), plus(t2, t3))), eta = times(0.125, minus(plus(t0, t2), plus(t1, t3))),
                 zeta = times(0.125, plus(plus(t0, t1), plus(t2, t3)));
    struct point n[3] = {normal(eta, zeta), normal(zeta, xi), normal(xi, eta)};
    b[2] = minus(plus(n[0], n[1]), n[2]);
    b[0] = times(-1, plus(plus(n[0], n[1]), n[2]));
    b[1] = minus(n[0], plus(n[1], n[2]));
    b[3] = minus(n[1], plus(n[0], n[2]));
    for (int k = 0; k < 4; k++)
        b[4 + k] = times(-1, b[(k + 2) % 4]);
    return 8 * dot(eta, n[1]);
}

static void forces(size_t elements, size_t nodes, int *corners, double *x, double *y, double *z, double *pressure, double *volume,
                   double *f)
{
#pragma acc kernels loop independent present(corners[0:8 * elements], x[0:nodes], y[0:nodes], z[0:nodes],         \
                                                 pressure[0:elements], volume[0:elements], f[0:24 * elements])
#pragma omp parallel for
    for (size_t e = 0; e < elements; ++e) {
        element el;
        struct point b[8];
        for (int k = 0; k < 8; ++k) {
            size_t node = corners[k * elements + e];
            el.corner[k].x = x[node];
            el.corner[k].y = y[node];
            el.corner[k].z = z[node];
        }
        volume[e] = gradients(&el, b);
        double *out = f + e;
        for (int k = 0; k < 8; ++k, out += elements) {
            struct point force = times(pressure[e], b[k]);
            out[0] = force.x;
            out[8 * elements] = force.y;
            out[16 * elements] = force.z;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, elements = n * n * n, m = n + 1, nodes = m * m * m, *corners = NEW(int, 8 * elements);
    double *x = NEW(double, nodes), *y = NEW(double, nodes), *z = NEW(double, nodes), *pressure = NEW(double, elements),
           *volume = NEW(double, elements), *f = NEW(double, 24 * elements), sum = 0;
    for (int k = 0; k < nodes; k++) {
        x[k] = k % m + 0.2 * number(k);
        y[k] = k / m % m + 0.2 * number(3 * k);
        z[k] = k / m / m + 0.2 * number(5 * k);
    }
    for (int e = 0; e < elements; e++) {
        int at = e % n + e / n % n * m + e / n / n * m * m, plane[4] = {0, 1, 1 + m, m};
        for (int k = 0; k < 8; k++)
            corners[k * elements + e] = at + plane[k % 4] + k / 4 * m * m;
        pressure[e] = 1 + number(7 * e);
    }
#pragma acc enter data copyin(corners[0:8 * elements], x[0:nodes], y[0:nodes], z[0:nodes], pressure[0:elements]) \
    create(volume[0:elements], f[0:24 * elements])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        forces(elements, nodes, corners, x, y, z, pressure, volume, f);
#pragma acc update self(volume[0:elements], f[0:24 * elements])
    SUM(sum, volume, elements);
    for (int k = 0; k < 24 * elements; k++)
        sum += fabs(f[k]);
    report("shape", t.best, sum);
    return 0;
}
