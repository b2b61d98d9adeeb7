// Forces of a neo-Hookean solid of 48^3 cubes, six tetrahedra each, double: the gradient of the deformation from the places of four nodes, the
// stress from its inverse and determinant, forces added to the nodes atomically, and the energy of all.
#include "../kernels.h"

enum { SIDE = 48 };
#define MU 1.3
#define LAMBDA 2.1

#if SPELLING == 1
static double forces(int elements, int nodes, const int *restrict node, const double *restrict inverse, const double *restrict volume,
                     const double *restrict x, double *restrict f)
{
    double energy = 0;
#pragma acc parallel loop async(1) present(f[0:3 * nodes])
#pragma omp parallel for simd
    for (int k = 0; k < 3 * nodes; k++)
        f[k] = 0;
#pragma acc parallel loop async(1) reduction(+ : energy) \
    present(node[0:4 * elements], inverse[0:9 * elements], volume[0:elements], x[0:3 * nodes], f[0:3 * nodes])
#pragma omp parallel for reduction(+ : energy)
    for (int e = 0; e < elements; e++) {
        double d[3][3], g[3][3], p[3][3], b[3][3];
        int n[4];
        for (int a = 0; a < 4; a++)
            n[a] = node[a * elements + e];
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < 3; a++) {
                d[i][a] = x[i * nodes + n[a + 1]] - x[i * nodes + n[0]];
                b[i][a] = inverse[(3 * i + a) * elements + e];
            }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                g[i][j] = 0;
                for (int a = 0; a < 3; a++)
                    g[i][j] += d[i][a] * b[a][j];
            }
        double c[3][3]; // cofactors of g
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                c[i][j] = g[i1][j1] * g[i2][j2] - g[i1][j2] * g[i2][j1];
            }
        double J = g[0][0] * c[0][0] + g[0][1] * c[0][1] + g[0][2] * c[0][2], logJ = log(J), trace = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                trace += g[i][j] * g[i][j];
                p[i][j] = MU * g[i][j] + (LAMBDA * logJ - MU) / J * c[i][j];
            }
        energy += volume[e] * (0.5 * MU * (trace - 3) - MU * logJ + 0.5 * LAMBDA * logJ * logJ);
        for (int i = 0; i < 3; i++) {
            double all = 0;
            for (int a = 0; a < 3; a++) {
                double h = 0;
                for (int j = 0; j < 3; j++)
                    h -= volume[e] * p[i][j] * b[a][j];
                all += h;
#pragma acc atomic update
#pragma omp atomic update
                f[i * nodes + n[a + 1]] += h;
            }
#pragma acc atomic update
#pragma omp atomic update
            f[i * nodes + n[0]] -= all;
        }
    }
#pragma acc wait(1)
    return energy;
}
#else
typedef struct { double x, y, z; } vector;
typedef struct { vector row[3]; } tensor;
struct mesh { size_t elements, nodes; int *node; double *inverse, *volume, *x, *f; };

static inline vector cross(vector a, vector b) { return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static inline double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vector sum(double s, vector a, double t, vector b) { return (vector){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z}; }

static tensor product(tensor a, tensor b)
{
    tensor c;
    for (int i = 0; i < 3; ++i)
        c.row[i] = sum(1, sum(a.row[i].x, b.row[0], a.row[i].y, b.row[1]), a.row[i].z, b.row[2]);
    return c;
}

static tensor transposed(tensor a)
{
    return (tensor){{{a.row[0].x, a.row[1].x, a.row[2].x}, {a.row[0].y, a.row[1].y, a.row[2].y}, {a.row[0].z, a.row[1].z, a.row[2].z}}};
}

static void add(double *f, size_t nodes, int n, double s, vector v)
{
#pragma acc atomic
#pragma omp atomic
    f[n] += s * v.x;
#pragma acc atomic
#pragma omp atomic
    f[nodes + n] += s * v.y;
#pragma acc atomic
#pragma omp atomic
    f[2 * nodes + n] += s * v.z;
}

#define PLACE(n) ((vector){x[n], x[nodes + (n)], x[2 * nodes + (n)]})

static double forces(const struct mesh *m)
{
    const size_t elements = m->elements, nodes = m->nodes;
    int(*node)[elements] = (int(*)[elements])m->node;
    double(*inverse)[3][elements] = (double(*)[3][elements])m->inverse, *volume = m->volume, *x = m->x, *f = m->f, energy = 0;
#pragma acc data present(node[0:4], inverse[0:3], volume[0:elements], x[0:3 * nodes], f[0:3 * nodes])
    {
#pragma acc kernels loop independent
#pragma omp parallel for simd
        for (size_t k = 0; k < 3 * nodes; ++k)
            f[k] = 0;
#pragma acc parallel loop gang vector reduction(+ : energy)
#pragma omp parallel for reduction(+ : energy)
        for (size_t e = 0; e < elements; ++e) {
            vector origin = PLACE(node[0][e]);
            tensor edges, b;
            for (int a = 0; a < 3; ++a) {
                edges.row[a] = sum(1, PLACE(node[a + 1][e]), -1, origin);
                b.row[a] = (vector){inverse[a][0][e], inverse[a][1][e], inverse[a][2][e]};
            }
            tensor g = product(transposed(edges), b);
            tensor c = {{cross(g.row[1], g.row[2]), cross(g.row[2], g.row[0]), cross(g.row[0], g.row[1])}};
            double J = dot(g.row[0], c.row[0]), logJ = log(J), v = volume[e];
            energy += v * (MU / 2 * (dot(g.row[0], g.row[0]) + dot(g.row[1], g.row[1]) + dot(g.row[2], g.row[2]) - 3) - MU * logJ +
                           LAMBDA / 2 * logJ * logJ);
            tensor stress;
            for (int i = 0; i < 3; ++i)
                stress.row[i] = sum(MU, g.row[i], (LAMBDA * logJ - MU) / J, c.row[i]);
            tensor h = product(b, transposed(stress)); // a row for each of the nodes but the first
            for (int a = 0; a < 3; ++a)
                add(f, nodes, node[a + 1][e], -v, h.row[a]);
            add(f, nodes, node[0][e], v, sum(1, sum(1, h.row[0], 1, h.row[1]), 1, h.row[2]));
        }
    }
    return energy;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 2) / 3, line = side + 1, nodes = line * line * line, elements = 6 * side * side * side;
    int *node = NEW(int, 4 * elements);
    double *inverse = NEW(double, 9 * elements), *volume = NEW(double, elements), *x = NEW(double, 3 * nodes), *f = NEW(double, 3 * nodes);
    double total = 0, energy = 0;
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int k = 0; k < nodes; k++) {
        int at[3] = {k / line / line, k / line % line, k % line};
        for (int d = 0; d < 3; d++)
            x[d * nodes + k] = 1.1 * at[d] + 0.05 * at[(d + 1) % 3] + 0.2 * number(3 * k + d);
    }
    // The tetrahedra of a cube go from its first corner to its last along one, another and the third axis.
    for (int e = 0; e < elements; e++) {
        int cube = e / 6, at[3] = {cube / side / side, cube / side % side, cube % side}, step[3] = {line * line, line, 1};
        const int *axes = order[e % 6];
        int n = (at[0] * line + at[1]) * line + at[2];
        node[e] = n;
        for (int a = 0; a < 3; a++)
            node[(a + 1) * elements + e] = n += step[axes[a]];
        // edge a is the sum of the first a + 1 axes: its dual is axis a less axis a + 1
        for (int k = 0; k < 9; k++)
            inverse[k * elements + e] = 0;
        for (int a = 0; a < 3; a++) {
            inverse[(3 * a + axes[a]) * elements + e] = 1;
            if (a < 2)
                inverse[(3 * a + axes[a + 1]) * elements + e] = -1;
        }
        volume[e] = 1 / 6.0;
    }
#pragma acc enter data copyin(node[0:4 * elements], inverse[0:9 * elements], volume[0:elements], x[0:3 * nodes]) create(f[0:3 * nodes])
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    while (lap(&t))
        energy = forces(elements, nodes, node, inverse, volume, x, f);
#else
    struct mesh mesh = {elements, nodes, node, inverse, volume, x, f};
    while (lap(&t))
        energy = forces(&mesh);
#endif
#pragma acc update self(f[0:3 * nodes])
    for (int k = 0; k < 3 * nodes; k++)
        total += fabs(f[k]);
    report("hyperelastic", t.best, total + energy);
    return 0;
}
