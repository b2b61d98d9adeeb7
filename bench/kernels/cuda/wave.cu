// A step of the acoustic wave equation on 256 x 256 x 256 points, float, differences of eighth order in each direction; a thread
// goes along z with the values behind and ahead in registers.
#include "kernels.cuh"

constexpr int REACH = 4;
__constant__ float c[REACH + 1];

__global__ void step(int n, const float *__restrict__ speed, const float *__restrict__ now, float *__restrict__ other)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + REACH, y = blockIdx.y * blockDim.y + threadIdx.y + REACH;
    if (x >= n - REACH || y >= n - REACH)
        return;
    int depth = (n - 2 * REACH + gridDim.z - 1) / gridDim.z, first = REACH + blockIdx.z * depth;
    int last = min(first + depth, n - REACH), plane = n * n;
    float line[2 * REACH + 1];
#pragma unroll
    for (int k = 0; k < 2 * REACH; k++)
        line[k + 1] = now[((first - REACH + k) * n + y) * n + x];
    for (int z = first; z < last; z++) {
        int at = (z * n + y) * n + x;
#pragma unroll
        for (int k = 0; k < 2 * REACH; k++)
            line[k] = line[k + 1];
        line[2 * REACH] = now[at + REACH * plane];
        float sum = 3 * c[0] * line[REACH];
#pragma unroll
        for (int r = 1; r <= REACH; r++)
            sum += c[r] * (now[at - r] + now[at + r] + now[at - r * n] + now[at + r * n] + line[REACH - r] + line[REACH + r]);
        other[at] = 2 * line[REACH] - other[at] + speed[at] * sum;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 256 >> (args.shift + 2) / 3, all = n * n * n;
    float host[REACH + 1] = {-2.847222f, 1.6f, -0.2f, 0.025397f, -0.001786f};
    float *speed = NEW(float, all), *a = NEW(float, all), *b = NEW(float, all);
    double sum = 0;
    FILL(speed, all, 0.1);
    FILL(a, all, 1);
    FILL(b, all, 1);
    CHECK(cudaMemcpyToSymbol(c, host, sizeof host));
    float *dspeed = on_device(speed, all), *da = on_device(a, all), *db = on_device(b, all);
    dim3 block(32, 8), grid(ceiling(n - 2 * REACH, 32), ceiling(n - 2 * REACH, 8), 8);
    double best = fastest(args.repeats, [&] {
        step<<<grid, block>>>(n, dspeed, da, db);
        std::swap(da, db);
    });
    to_host(a, da, all);
    for (int k = 0; k < all; k++)
        sum += fabs(a[k]) * (1 + k % 7);
    report("wave", best, sum);
    return 0;
}
