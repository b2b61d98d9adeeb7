// The product of the stiffness of a body of 64^3 elastic cubes with displacements, double: the numbers that all cubes share in constant
// memory, a thread a cube, a launch for each of eight colours.
#include "kernels.cuh"

constexpr int SIDE = 64, DOFS = 24;

__constant__ double common_of[DOFS * DOFS];

__global__ void product(int n, int deep, int ox, int oy, int oz, const double *__restrict__ density, const double *__restrict__ u,
                        double *__restrict__ f)
{
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + ox, y = 2 * (blockIdx.y * blockDim.y + threadIdx.y) + oy, z = 2 * blockIdx.z + oz;
    if (x >= n || y >= n || z >= deep)
        return;
    int side = n + 1, low = (z * side + y) * side + x, high = low + side * side;
    int node[8] = {low, low + 1, low + side + 1, low + side, high, high + 1, high + side + 1, high + side};
    double own[DOFS], e = density[(z * n + y) * n + x];
    e = 1e-9 + e * e * e * (1 - 1e-9);
#pragma unroll
    for (int c = 0; c < 8; c++)
#pragma unroll
        for (int d = 0; d < 3; d++)
            own[3 * c + d] = u[3 * node[c] + d];
#pragma unroll
    for (int r = 0; r < DOFS; r++) {
        double sum = 0;
#pragma unroll
        for (int s = 0; s < DOFS; s++)
            sum += common_of[r * DOFS + s] * own[s];
        f[3 * node[r / 3] + r % 3] += e * sum;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE, deep = SIDE >> args.shift, side = n + 1, all = 3 * side * side * (deep + 1), cubes = n * n * deep;
    double *common = NEW(double, DOFS * DOFS), *density = NEW(double, cubes), *u = NEW(double, all), *f = NEW(double, all), sum = 0;
    for (int r = 0; r < DOFS; r++)
        for (int s = 0; s < DOFS; s++)
            common[r * DOFS + s] = r == s ? 1 : 0.2 * number(r * s + r + s) - 0.1;
    for (int k = 0; k < cubes; k++)
        density[k] = 0.3 + 0.7 * number(k);
    FILL(u, all, 1);
    double *ddensity = on_device(density, cubes), *du = on_device(u, all), *df = device<double>(all);
    CHECK(cudaMemcpyToSymbol(common_of, common, DOFS * DOFS * sizeof(double)));
    dim3 block(32, 4), grid(ceiling(n / 2, 32), ceiling(n / 2, 4), ceiling(deep, 2));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(df, 0, all * sizeof(double)));
        for (int colour = 0; colour < 8; colour++)
            product<<<grid, block>>>(n, deep, colour & 1, colour >> 1 & 1, colour >> 2, ddensity, du, df);
    });
    to_host(f, df, all);
    for (int k = 0; k < all; k++)
        sum += fabs(f[k]);
    report("stiffness", best, sum);
    return 0;
}
