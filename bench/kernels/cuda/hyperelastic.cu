// Forces of a neo-Hookean solid of 48^3 cubes, six tetrahedra each, double: a thread a tetrahedron, forces added to the nodes atomically, the
// energy by a reduction of blocks.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int SIDE = 48;
constexpr double MU = 1.3, LAMBDA = 2.1;

__global__ void forces(int elements, int nodes, const int *__restrict__ node, const double *__restrict__ inverse,
                       const double *__restrict__ volume, const double *__restrict__ x, double *__restrict__ f, double *__restrict__ energy)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    double mine = 0;
    if (e < elements) {
        double d[3][3], g[3][3], p[3][3], b[3][3], c[3][3], v = volume[e];
        int n[4];
#pragma unroll
        for (int a = 0; a < 4; a++)
            n[a] = node[a * elements + e];
#pragma unroll
        for (int i = 0; i < 3; i++) {
            double origin = x[i * nodes + n[0]];
#pragma unroll
            for (int a = 0; a < 3; a++) {
                d[i][a] = x[i * nodes + n[a + 1]] - origin;
                b[i][a] = inverse[(3 * i + a) * elements + e];
            }
        }
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++)
                g[i][j] = d[i][0] * b[0][j] + d[i][1] * b[1][j] + d[i][2] * b[2][j];
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++) {
                int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                c[i][j] = g[i1][j1] * g[i2][j2] - g[i1][j2] * g[i2][j1];
            }
        double J = g[0][0] * c[0][0] + g[0][1] * c[0][1] + g[0][2] * c[0][2], logJ = log(J), trace = 0, factor = (LAMBDA * logJ - MU) / J;
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++) {
                trace += g[i][j] * g[i][j];
                p[i][j] = MU * g[i][j] + factor * c[i][j];
            }
        mine = v * (0.5 * MU * (trace - 3) - MU * logJ + 0.5 * LAMBDA * logJ * logJ);
#pragma unroll
        for (int i = 0; i < 3; i++) {
            double all = 0;
#pragma unroll
            for (int a = 0; a < 3; a++) {
                double h = -v * (p[i][0] * b[a][0] + p[i][1] * b[a][1] + p[i][2] * b[a][2]);
                all += h;
                atomicAdd(&f[i * nodes + n[a + 1]], h);
            }
            atomicAdd(&f[i * nodes + n[0]], -all);
        }
    }
    mine = block_reduce(mine, 0.0, [](double a, double b) { return a + b; });
    if (threadIdx.x == 0)
        atomicAdd(energy, mine);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 2) / 3, line = side + 1, nodes = line * line * line, elements = 6 * side * side * side;
    int *node = NEW(int, 4 * elements);
    double *inverse = NEW(double, 9 * elements), *volume = NEW(double, elements), *x = NEW(double, 3 * nodes), *f = NEW(double, 3 * nodes);
    double total = 0;
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int k = 0; k < nodes; k++) {
        int at[3] = {k / line / line, k / line % line, k % line};
        for (int d = 0; d < 3; d++)
            x[d * nodes + k] = 1.1 * at[d] + 0.05 * at[(d + 1) % 3] + 0.2 * number(3 * k + d);
    }
    for (int e = 0; e < elements; e++) {
        int cube = e / 6, at[3] = {cube / side / side, cube / side % side, cube % side}, step[3] = {line * line, line, 1};
        const int *axes = order[e % 6];
        int n = (at[0] * line + at[1]) * line + at[2];
        node[e] = n;
        for (int a = 0; a < 3; a++)
            node[(a + 1) * elements + e] = n += step[axes[a]];
        for (int k = 0; k < 9; k++)
            inverse[k * elements + e] = 0;
        for (int a = 0; a < 3; a++) {
            inverse[(3 * a + axes[a]) * elements + e] = 1;
            if (a < 2)
                inverse[(3 * a + axes[a + 1]) * elements + e] = -1;
        }
        volume[e] = 1 / 6.0;
    }
    int *dnode = on_device(node, 4 * elements);
    double *dinverse = on_device(inverse, 9 * elements), *dvolume = on_device(volume, elements), *dx = on_device(x, 3 * nodes);
    double *df = device<double>(3 * nodes), *denergy = device<double>(1), *energy = pinned<double>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(df, 0, 3 * nodes * sizeof(double)));
        CHECK(cudaMemsetAsync(denergy, 0, sizeof(double)));
        forces<<<ceiling(elements, 128), 128>>>(elements, nodes, dnode, dinverse, dvolume, dx, df, denergy);
        CHECK(cudaMemcpyAsync(energy, denergy, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(f, df, 3 * nodes);
    for (int k = 0; k < 3 * nodes; k++)
        total += fabs(f[k]);
    report("hyperelastic", best, total + *energy);
    return 0;
}
