// Electric potential of 4000 charges, which are in constant memory, on a plane of 512 × 512 points, float.
#include "kernels.cuh"

__constant__ float4 atom[4000];

__global__ void potential(int n, int atoms, float *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float x = 0.1f * i, y = 0.1f * j, energy = 0;
#pragma unroll 8
    for (int k = 0; k < atoms; k++) {
        float dx = x - atom[k].x, dy = y - atom[k].y, dz = atom[k].z;
        energy += atom[k].w * rsqrtf(dx * dx + dy * dy + dz * dz);
    }
    v[j * n + i] = energy;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 512 >> args.shift, atoms = 4000 >> args.shift;
    float *host = NEW(float, 4 * atoms), *v = NEW(float, n *n), *dv = device<float>(n * n);
    double sum = 0;
    for (int k = 0; k < 4 * atoms; k++)
        host[k] = k % 4 == 2 ? 1 + (float)number(k) : k % 4 == 3 ? (float)number(k) : 51 * (float)number(k);
    CHECK(cudaMemcpyToSymbol(atom, host, 4 * atoms * sizeof(float)));
    dim3 threads(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] { potential<<<grid, threads>>>(n, atoms, dv); });
    to_host(v, dv, n * n);
    SUM(sum, v, n * n);
    report("coulomb", best, sum);
    return 0;
}
