// Matrices of 63888 curved tetrahedra with quadratic shapes, double: a block has eight elements; a thread takes a point of quadrature of one, then some gradients,
// then some pairs of nodes.
#include "kernels.cuh"

enum { CUBES = 22, NODES = 10, POINTS = 14, PAIRS = NODES * (NODES + 1) / 2 };

constexpr int THREADS = 128, TOGETHER = 8;

__global__ void __launch_bounds__(THREADS) integrate(int n, const int *__restrict__ list, const double *__restrict__ x, const double *__restrict__ diffusion,
                                                     const double *__restrict__ shape, const double *__restrict__ slope, const double *__restrict__ weight,
                                                     double *__restrict__ matrix)
{
    __shared__ double at[TOGETHER][NODES][4], cofactor[TOGETHER][POINTS][9], volume[TOGETHER][POINTS], scale[TOGETHER][POINTS];
    __shared__ double gradient[TOGETHER][POINTS][NODES][3], shapes[POINTS][NODES];
    int first = blockIdx.x * TOGETHER, count = min(TOGETHER, n - first);
    for (int s = threadIdx.x; s < POINTS * NODES; s += THREADS)
        shapes[s / NODES][s % NODES] = shape[s];
    for (int s = threadIdx.x; s < count * NODES; s += THREADS) {
        int node = list[first * NODES + s];
        double *to = at[s / NODES][s % NODES];
        to[0] = x[node * 3];
        to[1] = x[node * 3 + 1];
        to[2] = x[node * 3 + 2];
        to[3] = diffusion[node];
    }
    __syncthreads();
    if (threadIdx.x < count * POINTS) {
        int e = threadIdx.x / POINTS, q = threadIdx.x % POINTS;
        double j[3][3] = {}, k = 0, *c = cofactor[e][q];
        for (int a = 0; a < NODES; a++) {
            const double *d = &slope[(q * NODES + a) * 3];
#pragma unroll
            for (int r = 0; r < 3; r++)
#pragma unroll
                for (int s = 0; s < 3; s++)
                    j[r][s] += at[e][a][r] * d[s];
            k += at[e][a][3] * shapes[q][a];
        }
#pragma unroll
        for (int r = 0; r < 3; r++)
#pragma unroll
            for (int s = 0; s < 3; s++)
                c[r * 3 + s] = j[(r + 1) % 3][(s + 1) % 3] * j[(r + 2) % 3][(s + 2) % 3] - j[(r + 1) % 3][(s + 2) % 3] * j[(r + 2) % 3][(s + 1) % 3];
        double det = j[0][0] * c[0] + j[0][1] * c[1] + j[0][2] * c[2];
        volume[e][q] = weight[q] * det;
        scale[e][q] = k * weight[q] / det;
    }
    __syncthreads();
    for (int s = threadIdx.x; s < count * POINTS * NODES; s += THREADS) {
        int e = s / (POINTS * NODES), q = s / NODES % POINTS, a = s % NODES;
        const double *d = &slope[(q * NODES + a) * 3], *c = cofactor[e][q];
#pragma unroll
        for (int r = 0; r < 3; r++)
            gradient[e][q][a][r] = c[r * 3] * d[0] + c[r * 3 + 1] * d[1] + c[r * 3 + 2] * d[2];
    }
    __syncthreads();
    for (int s = threadIdx.x; s < count * PAIRS; s += THREADS) {
        int e = s / PAIRS, p = s % PAIRS, a = 0;
        while ((a + 1) * (a + 2) / 2 <= p)
            a++;
        int b = p - a * (a + 1) / 2;
        double sum = 0;
        for (int q = 0; q < POINTS; q++) {
            const double *one = gradient[e][q][a], *two = gradient[e][q][b];
            sum += scale[e][q] * (one[0] * two[0] + one[1] * two[1] + one[2] * two[2]) + volume[e][q] * shapes[q][a] * shapes[q][b];
        }
        matrix[(long)first * PAIRS + s] = sum;
    }
}

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
    double *x = NEW(double, nodes * 3), *diffusion = NEW(double, nodes), *matrix = NEW(double, n * PAIRS), sum = 0, shape[POINTS * NODES],
           slope[POINTS * NODES * 3], weight[POINTS];
    mesh(cubes, list, x, diffusion);
    rule(shape, slope, weight);
    int *dlist = on_device(list, n * NODES);
    double *dx = on_device(x, nodes * 3), *ddiffusion = on_device(diffusion, nodes), *dshape = on_device(shape, POINTS * NODES),
           *dslope = on_device(slope, POINTS * NODES * 3), *dweight = on_device(weight, POINTS), *dmatrix = device<double>(n * PAIRS);
    double best = fastest(args.repeats, [&] { integrate<<<ceiling(n, TOGETHER), THREADS>>>(n, dlist, dx, ddiffusion, dshape, dslope, dweight, dmatrix); });
    to_host(matrix, dmatrix, n * PAIRS);
    for (int e = 0; e < n; e++)
        for (int p = 0; p < PAIRS; p++)
            sum += fabs(matrix[e * PAIRS + p]) * (1 + p % 3);
    report("quadrature", best, sum);
    return 0;
}
