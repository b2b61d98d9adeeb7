// Four steps of means over 27 cells of eight variables on a periodic grid of 96^3 doubles with ghost cells: a kernel for the ghosts of each direction and all
// variables; a thread goes along z and keeps the sums of three layers; sums of the variables by atomic additions, one for each block.
#include "kernels.cuh"

enum { SIDE = 96, VARIABLES = 8, STEPS = 4 };

constexpr int X = 32, Y = 8, DEPTH = 16;

// Ghosts at both ends of a direction `step`; p and q count along the other two.
__global__ void ghosts(int n, double *a, int step, int step_p, int first_p, int count_p, int step_q, int first_q, int count_q)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y * blockDim.y + threadIdx.y, s = n + 2;
    if (p >= count_p || q >= count_q)
        return;
    double *line = a + blockIdx.z * (s * s * s) + (p + first_p) * step_p + (q + first_q) * step_q;
    line[0] = line[n * step];
    line[(n + 1) * step] = line[step];
}

__device__ double layer(const double *__restrict__ p, int s)
{
    return p[-s - 1] + p[-s] + p[-s + 1] + p[-1] + p[0] + p[1] + p[s - 1] + p[s] + p[s + 1];
}

__global__ void __launch_bounds__(X *Y) average(int n, int depths, const double *__restrict__ a, double *__restrict__ b, double *sums)
{
    __shared__ double part[X * Y / 32];
    int x = blockIdx.x * X + threadIdx.x + 1, y = blockIdx.y * Y + threadIdx.y + 1, v = blockIdx.z / depths, first = blockIdx.z % depths * DEPTH + 1;
    int s = n + 2, last = min(first + DEPTH, n + 1);
    double total = 0;
    if (x <= n && y <= n) {
        int at = v * s * s * s + (first * s + y) * s + x;
        double below = layer(a + at - s * s, s), here = layer(a + at, s);
        for (int z = first; z < last; z++, at += s * s) {
            double above = layer(a + at + s * s, s), mean = (below + here + above) * (1.0 / 27);
            b[at] = mean;
            total += mean;
            below = here;
            here = above;
        }
    }
    for (int d = 16; d > 0; d /= 2)
        total += __shfl_xor_sync(0xffffffff, total, d);
    if (threadIdx.x == 0)
        part[threadIdx.y] = total;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        for (int w = 1; w < X * Y / 32; w++)
            total += part[w];
        atomicAdd(sums + v, total);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, s = n + 2, all = s * s * s, depths = ceiling(n, DEPTH);
    double *start = NEW(double, VARIABLES * all), sum = 0, *sums = pinned<double>(STEPS * VARIABLES);
    FILL(start, VARIABLES * all, 1);
    double *dstart = on_device(start, VARIABLES * all), *da = device<double>(VARIABLES * all), *db = device<double>(VARIABLES * all);
    double *dsums = device<double>(STEPS * VARIABLES);
    dim3 flat(32, 8), grid(ceiling(n, X), ceiling(n, Y), VARIABLES * depths), faces(ceiling(s, 32), ceiling(s, 8), VARIABLES);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(da, dstart, VARIABLES * all * sizeof *da, cudaMemcpyDeviceToDevice));
        CHECK(cudaMemsetAsync(dsums, 0, STEPS * VARIABLES * sizeof *dsums));
        for (int step = 0; step < STEPS; step++) {
            ghosts<<<faces, flat>>>(n, da, 1, s * s, 1, n, s, 1, n);
            ghosts<<<faces, flat>>>(n, da, s, s * s, 1, n, 1, 0, s);
            ghosts<<<faces, flat>>>(n, da, s * s, s, 0, s, 1, 0, s);
            average<<<grid, flat>>>(n, depths, da, db, dsums + step * VARIABLES);
            std::swap(da, db);
        }
        CHECK(cudaMemcpyAsync(sums, dsums, STEPS * VARIABLES * sizeof *sums, cudaMemcpyDeviceToHost));
    });
    for (int k = 0; k < STEPS * VARIABLES; k++)
        sum += sums[k] * (1 + k / VARIABLES);
    double *a = start;
    to_host(a, da, VARIABLES * all);
    for (int v = 0; v < VARIABLES; v++)
        for (int z = 1; z <= n; z++)
            for (int k = 0; k < n * n; k++)
                sum += a[v * all + (z * s + 1 + k / n) * s + 1 + k % n] * (z % 3);
    report("ghost", best, sum);
    return 0;
}
