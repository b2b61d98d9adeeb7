// Maxwell's equations in the plane by discontinuous Galerkin's method of fourth order on 294912 triangles of 15 nodes, double: derivatives by
// matrices of 15 x 15, jumps to three neighbours with upwind fluxes, lifted from 15 points of the edges to the nodes.
#include "../kernels.h"

enum { SQUARES = 384, ORDER = 4, NODES = 15, SIDE = 5, EDGES = 3, POINTS = SIDE * EDGES };

#if SPELLING == 1
// geometry: rx, sx, ry, sy of an element; normal: x, y and scale of an edge; inside: a point's node; outside: the node of all beyond it.
static void maxwell(int elements, const double *restrict dr, const double *restrict ds, const double *restrict lift, const int *restrict inside,
                    const int *restrict outside, const double *restrict geometry, const double *restrict normal, const double *restrict hx,
                    const double *restrict hy, const double *restrict ez, double *restrict hx_rate, double *restrict hy_rate,
                    double *restrict ez_rate)
{
    int all = NODES * elements;
#pragma acc parallel loop gang vector_length(32) present(dr[0:NODES * NODES], ds[0:NODES * NODES], lift[0:NODES * POINTS], inside[0:POINTS])  \
    present(outside[0:POINTS * elements], geometry[0:4 * elements], normal[0:3 * EDGES * elements])                                           \
    present(hx[0:all], hy[0:all], ez[0:all], hx_rate[0:all], hy_rate[0:all], ez_rate[0:all])
#pragma omp parallel for
    for (int e = 0; e < elements; e++) {
        double fx[POINTS], fy[POINTS], fz[POINTS];
#pragma acc loop vector
        for (int p = 0; p < POINTS; p++) {
            int in = e * NODES + inside[p], out = outside[e * POINTS + p];
            const double *n = normal + 3 * (e * EDGES + p / SIDE);
            double dhx = hx[in] - hx[out], dhy = hy[in] - hy[out], dez = ez[in] - ez[out];
            double along = n[0] * dhx + n[1] * dhy;
            fx[p] = 0.5 * n[2] * (n[1] * dez + n[0] * along - dhx);
            fy[p] = 0.5 * n[2] * (-n[0] * dez + n[1] * along - dhy);
            fz[p] = 0.5 * n[2] * (-n[0] * dhy + n[1] * dhx - dez);
        }
#pragma acc loop vector
        for (int i = 0; i < NODES; i++) {
            double hx_r = 0, hx_s = 0, hy_r = 0, hy_s = 0, ez_r = 0, ez_s = 0, lx = 0, ly = 0, lz = 0;
            for (int j = 0; j < NODES; j++) {
                double r = dr[j * NODES + i], s = ds[j * NODES + i];
                hx_r += r * hx[e * NODES + j];
                hx_s += s * hx[e * NODES + j];
                hy_r += r * hy[e * NODES + j];
                hy_s += s * hy[e * NODES + j];
                ez_r += r * ez[e * NODES + j];
                ez_s += s * ez[e * NODES + j];
            }
            for (int p = 0; p < POINTS; p++) {
                double l = lift[p * NODES + i];
                lx += l * fx[p];
                ly += l * fy[p];
                lz += l * fz[p];
            }
            double rx = geometry[4 * e], sx = geometry[4 * e + 1], ry = geometry[4 * e + 2], sy = geometry[4 * e + 3];
            hx_rate[e * NODES + i] = -(ry * ez_r + sy * ez_s) + lx;
            hy_rate[e * NODES + i] = rx * ez_r + sx * ez_s + ly;
            ez_rate[e * NODES + i] = rx * hy_r + sx * hy_s - ry * hx_r - sy * hx_s + lz;
        }
    }
}
#else
typedef struct { double rx, sx, ry, sy; } metric;
typedef struct { double x, y, scale; } edge;
typedef struct { double hx, hy, ez; } field;
typedef const double (*matrix)[NODES];

static inline field jump(const field *a, const field *b, const edge *n)
{
    field d = {a->hx - b->hx, a->hy - b->hy, a->ez - b->ez}, f;
    double along = n->x * d.hx + n->y * d.hy, half = 0.5 * n->scale;
    f.hx = half * (n->y * d.ez + n->x * along - d.hx);
    f.hy = half * (n->y * along - n->x * d.ez - d.hy);
    f.ez = half * (n->y * d.hx - n->x * d.hy - d.ez);
    return f;
}

static inline void add(field *sum, double factor, const field *f)
{
    sum->hx += factor * f->hx;
    sum->hy += factor * f->hy;
    sum->ez += factor * f->ez;
}

static void maxwell(unsigned elements, matrix dr, matrix ds, matrix lift, const unsigned char *inside, const unsigned (*outside)[POINTS],
                    const metric *geometry, const edge (*normal)[EDGES], const field *q, field *rate)
{
#pragma acc kernels present(dr[0:NODES], ds[0:NODES], lift[0:POINTS], inside[0:POINTS], outside[0:elements], geometry[0:elements])             \
    present(normal[0:elements], q[0:NODES * elements], rate[0:NODES * elements])
    {
#pragma acc loop independent gang
#pragma omp parallel for
        for (unsigned e = 0; e < elements; ++e) {
            const field *mine = q + (size_t)e * NODES;
            const metric *g = &geometry[e];
            field flux[POINTS];
#pragma acc loop independent vector(32)
            for (unsigned p = 0; p < POINTS; ++p)
                flux[p] = jump(&mine[inside[p]], &q[outside[e][p]], &normal[e][p / SIDE]);
#pragma acc loop independent vector(32)
            for (unsigned i = 0; i < NODES; ++i) {
                field r = {0, 0, 0}, s = {0, 0, 0}, lifted = {0, 0, 0};
                for (unsigned j = 0; j < NODES; ++j) {
                    add(&r, dr[j][i], mine + j);
                    add(&s, ds[j][i], mine + j);
                }
                for (unsigned p = 0; p < POINTS; ++p)
                    add(&lifted, lift[p][i], flux + p);
                lifted.hx -= g->ry * r.ez + g->sy * s.ez;
                lifted.hy += g->rx * r.ez + g->sx * s.ez;
                lifted.ez += g->rx * r.hy + g->sx * s.hy - g->ry * r.hx - g->sy * s.hx;
                rate[(size_t)e * NODES + i] = lifted;
            }
        }
    }
}
#endif

// A corner of the mesh, moved a little.
static void corner(int m, int i, int j, double *p)
{
    int c = (i + m) % m + m * ((j + m) % m);
    p[0] = (i + 0.3 * (number(c) - 0.5)) / m;
    p[1] = (j + 0.3 * (number(c + m * m) - 0.5)) / m;
}

// Node (i, j) of a triangle, i + j <= ORDER.
static int node(int i, int j) { return j * (2 * ORDER + 3 - j) / 2 + i; }

static void mesh(int m, int *inside, int *outside, double *geometry, double *normal)
{
    for (int k = 0; k < SIDE; k++) {
        inside[k] = node(k, 0);
        inside[SIDE + k] = node(ORDER - k, k);
        inside[2 * SIDE + k] = node(0, k);
    }
    for (int e = 0; e < 2 * m * m; e++) {
        int upper = e % 2, x = e / 2 % m, y = e / 2 / m, to = upper ? 1 : -1;
        int beyond[EDGES] = {x + m * ((y + to + m) % m), x + m * y, (x + to + m) % m + m * y};
        double a[2], b[2], c[2];
        corner(m, x + upper, y + upper, a);
        corner(m, x + 1 - upper, y + upper, b);
        corner(m, x + upper, y + 1 - upper, c);
        double xr = (b[0] - a[0]) / 2, yr = (b[1] - a[1]) / 2, xs = (c[0] - a[0]) / 2, ys = (c[1] - a[1]) / 2, area = xr * ys - xs * yr;
        double *g = geometry + 4 * e;
        g[0] = ys / area;
        g[1] = -yr / area;
        g[2] = -xs / area;
        g[3] = xr / area;
        double nx[EDGES] = {yr, ys - yr, -ys}, ny[EDGES] = {-xr, xr - xs, xs};
        for (int f = 0; f < EDGES; f++) {
            double size = sqrt(nx[f] * nx[f] + ny[f] * ny[f]), *n = normal + 3 * (e * EDGES + f);
            n[0] = nx[f] / size;
            n[1] = ny[f] / size;
            n[2] = size / area;
            for (int k = 0; k < SIDE; k++)
                outside[e * POINTS + f * SIDE + k] = (2 * beyond[f] + 1 - upper) * NODES + inside[f * SIDE + ORDER - k];
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = SQUARES >> args.shift / 2, elements = 2 * m * m, all = NODES * elements;
    double *dr = NEW(double, NODES * NODES), *ds = NEW(double, NODES * NODES), *lift = NEW(double, NODES * POINTS);
    double *geometry = NEW(double, 4 * elements), *normal = NEW(double, 3 * EDGES * elements), sum = 0;
    double *hx = NEW(double, all), *hy = NEW(double, all), *ez = NEW(double, all);
    int *inside = NEW(int, POINTS), *outside = NEW(int, POINTS * elements);
    mesh(m, inside, outside, geometry, normal);
    for (int k = 0; k < NODES * NODES; k++) {
        dr[k] = 4 * (number(k) - 0.5);
        ds[k] = 4 * (number(k + 300) - 0.5);
        lift[k] = 3 * (number(k + 600) - 0.3);
    }
    FILL(hx, all, 1);
    FILL(hy, all, 0.7);
    FILL(ez, all, -1.3);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *hx_rate = NEW(double, all), *hy_rate = NEW(double, all), *ez_rate = NEW(double, all);
#pragma acc enter data copyin(dr[0:NODES * NODES], ds[0:NODES * NODES], lift[0:NODES * POINTS], inside[0:POINTS])                              \
    copyin(outside[0:POINTS * elements], geometry[0:4 * elements], normal[0:3 * EDGES * elements], hx[0:all], hy[0:all], ez[0:all])           \
    create(hx_rate[0:all], hy_rate[0:all], ez_rate[0:all])
    while (lap(&t))
        maxwell(elements, dr, ds, lift, inside, outside, geometry, normal, hx, hy, ez, hx_rate, hy_rate, ez_rate);
#pragma acc update self(hx_rate[0:all], hy_rate[0:all], ez_rate[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(hx_rate[k]) + fabs(hy_rate[k]) + fabs(ez_rate[k]);
#else
    matrix by_r = (matrix)dr, by_s = (matrix)ds, lifts = (matrix)lift;
    unsigned char *own = NEW(unsigned char, POINTS);
    unsigned (*other)[POINTS] = (unsigned (*)[POINTS])outside;
    metric *metrics = (metric *)geometry;
    edge (*normals)[EDGES] = (edge (*)[EDGES])normal;
    field *q = NEW(field, all), *rate = NEW(field, all);
    for (int p = 0; p < POINTS; p++)
        own[p] = inside[p];
    for (int k = 0; k < all; k++)
        q[k] = (field){hx[k], hy[k], ez[k]};
#pragma acc enter data copyin(by_r[0:NODES], by_s[0:NODES], lifts[0:POINTS], own[0:POINTS], other[0:elements], metrics[0:elements])            \
    copyin(normals[0:elements], q[0:all]) create(rate[0:all])
    while (lap(&t))
        maxwell(elements, by_r, by_s, lifts, own, (const unsigned (*)[POINTS])other, metrics, (const edge (*)[EDGES])normals, q, rate);
#pragma acc update host(rate[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(rate[k].hx) + fabs(rate[k].hy) + fabs(rate[k].ez);
#endif
    report("galerkin", t.best, sum);
    return 0;
}
