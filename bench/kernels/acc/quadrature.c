// Matrices of 63888 curved tetrahedra with quadratic shapes, double: at each of 14 points of quadrature the Jacobian from ten nodes, gradients of the shapes, and
// diffusion and reaction between each two of the ten.
#include "../kernels.h"

enum { CUBES = 22, NODES = 10, POINTS = 14, PAIRS = NODES * (NODES + 1) / 2 };

#if SPELLING == 1
static void integrate(int n, int nodes, const int *restrict list, const double *restrict x, const double *restrict diffusion, const double *restrict shape,
                      const double *restrict slope, const double *restrict weight, double *restrict matrix)
{
#pragma acc parallel loop gang vector_length(64)                                                                                                       \
    present(list[0:n * NODES], x[0:nodes * 3], diffusion[0:nodes], shape[0:POINTS * NODES], slope[0:POINTS * NODES * 3], weight[0:POINTS], \
                matrix[0:n * NODES * NODES])
#pragma omp parallel for
    for (int e = 0; e < n; e++) {
        double at[NODES * 3], conducts[NODES], gradient[NODES * 3], ke[NODES * NODES];
#pragma acc loop vector
        for (int a = 0; a < NODES; a++) {
            int node = list[e * NODES + a];
            at[a * 3] = x[node * 3];
            at[a * 3 + 1] = x[node * 3 + 1];
            at[a * 3 + 2] = x[node * 3 + 2];
            conducts[a] = diffusion[node];
        }
#pragma acc loop vector
        for (int p = 0; p < NODES * NODES; p++)
            ke[p] = 0;
#pragma acc loop seq
        for (int q = 0; q < POINTS; q++) {
            double j[9] = {0}, k = 0;
#pragma acc loop seq
            for (int a = 0; a < NODES; a++) {
                for (int c = 0; c < 3; c++)
                    for (int d = 0; d < 3; d++)
                        j[c * 3 + d] += at[a * 3 + c] * slope[(q * NODES + a) * 3 + d];
                k += conducts[a] * shape[q * NODES + a];
            }
            double c0 = j[4] * j[8] - j[5] * j[7], c1 = j[5] * j[6] - j[3] * j[8], c2 = j[3] * j[7] - j[4] * j[6], det = j[0] * c0 + j[1] * c1 + j[2] * c2;
            double dv = weight[q] * det;
#pragma acc loop vector
            for (int a = 0; a < NODES; a++) {
                double r = slope[(q * NODES + a) * 3], s = slope[(q * NODES + a) * 3 + 1], t = slope[(q * NODES + a) * 3 + 2];
                gradient[a * 3] = (r * c0 + s * c1 + t * c2) / det;
                gradient[a * 3 + 1] = (r * (j[2] * j[7] - j[1] * j[8]) + s * (j[0] * j[8] - j[2] * j[6]) + t * (j[1] * j[6] - j[0] * j[7])) / det;
                gradient[a * 3 + 2] = (r * (j[1] * j[5] - j[2] * j[4]) + s * (j[2] * j[3] - j[0] * j[5]) + t * (j[0] * j[4] - j[1] * j[3])) / det;
            }
#pragma acc loop vector collapse(2)
            for (int a = 0; a < NODES; a++)
                for (int b = 0; b < NODES; b++)
                    ke[a * NODES + b] += dv * (k * (gradient[a * 3] * gradient[b * 3] + gradient[a * 3 + 1] * gradient[b * 3 + 1] +
                                                    gradient[a * 3 + 2] * gradient[b * 3 + 2]) +
                                               shape[q * NODES + a] * shape[q * NODES + b]);
        }
#pragma acc loop vector
        for (int p = 0; p < NODES * NODES; p++)
            matrix[e * NODES * NODES + p] = ke[p];
    }
}
#else
struct vertex { double x[3], diffusion; };
struct tables { double shape[POINTS][NODES], slope[POINTS][NODES][3], weight[POINTS]; };

// Cofactors: row d of the inverse's transpose times the determinant.
static inline double cofactors(double j[3][3], double c[3][3])
{
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            c[a][b] = j[(a + 1) % 3][(b + 1) % 3] * j[(a + 2) % 3][(b + 2) % 3] - j[(a + 1) % 3][(b + 2) % 3] * j[(a + 2) % 3][(b + 1) % 3];
    return j[0][0] * c[0][0] + j[0][1] * c[0][1] + j[0][2] * c[0][2];
}

// An element for each lane, the triangle of its matrix in a private array; entry p of all elements together.
static void integrate(long n, long nodes, int (*list)[NODES], struct vertex *vertices, struct tables *tables, double (*matrix)[n])
{
#pragma acc kernels present(list[0:n], vertices[0:nodes], tables[0:1], matrix[0:PAIRS])
#pragma acc loop independent gang vector(64)
#pragma omp parallel for
    for (long e = 0; e < n; ++e) {
        double sums[PAIRS];
        struct vertex own[NODES];
        for (int p = 0; p < PAIRS; ++p)
            sums[p] = 0;
        for (int a = 0; a < NODES; ++a)
            own[a] = vertices[list[e][a]];
        for (int q = 0; q < POINTS; ++q) {
            double j[3][3] = {{0}}, c[3][3], g[NODES][3], k = 0;
            for (int a = 0; a < NODES; ++a) {
                for (int r = 0; r < 3; ++r)
                    for (int s = 0; s < 3; ++s)
                        j[r][s] += own[a].x[r] * tables->slope[q][a][s];
                k += own[a].diffusion * tables->shape[q][a];
            }
            double det = cofactors(j, c), dv = tables->weight[q] * det, scale = k * tables->weight[q] / det;
            for (int a = 0; a < NODES; ++a)
                for (int r = 0; r < 3; ++r)
                    g[a][r] = c[r][0] * tables->slope[q][a][0] + c[r][1] * tables->slope[q][a][1] + c[r][2] * tables->slope[q][a][2];
            for (int a = 0, p = 0; a < NODES; ++a)
                for (int b = 0; b <= a; ++b, ++p)
                    sums[p] += scale * (g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2]) + dv * tables->shape[q][a] * tables->shape[q][b];
        }
        for (int p = 0; p < PAIRS; ++p)
            matrix[p][e] = sums[p];
    }
}
#endif

// Shapes and their slopes at the points of a rule of fifth order; nodes are four corners, then the middles of the edges.
static void rule(double *shape, double *slope, double *weight)
{
    static const int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    static const double corner[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double near[3] = {0.31088591926330060980, 0.092735250310891226402, 0.045503704125649649492};
    double heavy[3] = {0.11268792571801585080, 0.073493043116361949544, 0.042546020777081466438};
    for (int q = 0; q < POINTS; q++) {
        int kind = q < 4 ? 0 : q < 8 ? 1 : 2;
        double l[4];
        for (int c = 0; c < 4; c++)
            if (kind < 2)
                l[c] = c == q % 4 ? 1 - 3 * near[kind] : near[kind];
            else
                l[c] = c == edges[q - 8][0] || c == edges[q - 8][1] ? near[2] : 0.5 - near[2];
        weight[q] = heavy[kind] / 6;
        for (int a = 0; a < NODES; a++) {
            int one = a < 4 ? a : edges[a - 4][0], two = a < 4 ? a : edges[a - 4][1];
            shape[q * NODES + a] = a < 4 ? l[a] * (2 * l[a] - 1) : 4 * l[one] * l[two];
            for (int d = 0; d < 3; d++)
                slope[(q * NODES + a) * 3 + d] = a < 4 ? (4 * l[a] - 1) * corner[a][d] : 4 * (l[one] * corner[two][d] + l[two] * corner[one][d]);
        }
    }
}

// Cubes of six tetrahedra around a diagonal each; nodes are those of a lattice twice as fine, moved a little.
static void mesh(int cubes, int *list, double *x, double *diffusion)
{
    static const int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}, orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    int side = 2 * cubes + 1, e = 0;
    for (int node = 0; node < side * side * side; node++) {
        x[node * 3] = node % side + 0.1 * number(3 * node);
        x[node * 3 + 1] = node / side % side + 0.1 * number(3 * node + 1);
        x[node * 3 + 2] = node / side / side + 0.1 * number(3 * node + 2);
        diffusion[node] = 1 + number(node + 5);
    }
    for (int cube = 0; cube < cubes * cubes * cubes; cube++)
        for (int six = 0; six < 6; six++, e++) {
            int at[4][3] = {{cube % cubes * 2, cube / cubes % cubes * 2, cube / cubes / cubes * 2}};
            for (int c = 1; c < 4; c++)
                for (int d = 0; d < 3; d++)
                    at[c][d] = at[c - 1][d] + (orders[six][c - 1] == d ? 2 : 0);
            int last = six < 3 ? 3 : 2, other = six < 3 ? 2 : 3;
            for (int a = 0; a < NODES; a++) {
                int one = a < 4 ? a : edges[a - 4][0], two = a < 4 ? a : edges[a - 4][1];
                one = one == 3 ? last : one == 2 ? other : one;
                two = two == 3 ? last : two == 2 ? other : two;
                list[e * NODES + a] = (((at[one][2] + at[two][2]) / 2) * side + (at[one][1] + at[two][1]) / 2) * side + (at[one][0] + at[two][0]) / 2;
            }
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int cubes = CUBES >> (args.shift + 2) / 3, n = 6 * cubes * cubes * cubes, nodes = (2 * cubes + 1) * (2 * cubes + 1) * (2 * cubes + 1);
    int *list = NEW(int, n * NODES);
    double *x = NEW(double, nodes * 3), *diffusion = NEW(double, nodes), sum = 0, shape[POINTS * NODES], slope[POINTS * NODES * 3], weight[POINTS];
    mesh(cubes, list, x, diffusion);
    rule(shape, slope, weight);
#pragma acc enter data copyin(list[0:n * NODES])
#if SPELLING == 1
    int all = n * NODES * NODES;
    double *matrix = NEW(double, all);
#pragma acc enter data copyin(x[0:nodes * 3], diffusion[0:nodes], shape, slope, weight) create(matrix[0:all])
#else
    int all = n * PAIRS;
    double *matrix = NEW(double, all);
    struct vertex *vertices = NEW(struct vertex, nodes);
    struct tables *tables = NEW(struct tables, 1);
    for (int node = 0; node < nodes; node++)
        vertices[node] = (struct vertex){{x[node * 3], x[node * 3 + 1], x[node * 3 + 2]}, diffusion[node]};
    for (int q = 0; q < POINTS; q++) {
        tables->weight[q] = weight[q];
        for (int a = 0; a < NODES; a++) {
            tables->shape[q][a] = shape[q * NODES + a];
            for (int d = 0; d < 3; d++)
                tables->slope[q][a][d] = slope[(q * NODES + a) * 3 + d];
        }
    }
#pragma acc enter data copyin(vertices[0:nodes], tables[0:1]) create(matrix[0:all])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        integrate(n, nodes, list, x, diffusion, shape, slope, weight, matrix);
#else
        integrate(n, nodes, (void *)list, vertices, tables, (void *)matrix);
#endif
    }
#pragma acc update self(matrix[0:all])
    for (int e = 0; e < n; e++)
        for (int a = 0, p = 0; a < NODES; a++)
            for (int b = 0; b <= a; b++, p++)
#if SPELLING == 1
                sum += fabs(matrix[(e * NODES + a) * NODES + b]) * (1 + p % 3);
#else
                sum += fabs(matrix[p * n + e]) * (1 + p % 3);
#endif
    report("quadrature", t.best, sum);
    return 0;
}
