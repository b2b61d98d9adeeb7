// An alloy of 512 x 512 cells that falls apart into two phases, double, periodic: a launch a step, for blocks of 32 x 8 cells whose mixture and
// chemical potential are in shared memory with their borders.
#include "kernels.cuh"

constexpr int SIDE = 512, STEPS = 10, ACROSS = 32, DOWN = 8, THREADS = ACROSS * DOWN;
constexpr double KAPPA = 0.7, DT = 0.02;

__device__ double current(double c, double cn, double m, double mn)
{
    double mean = 0.5 * (c + cn);
    return fmax(0., 1 - mean * mean) * (m - mn);
}

// The side w is a power of two.
__global__ void __launch_bounds__(THREADS) advance(int w, const double *__restrict__ c, double *__restrict__ next)
{
    __shared__ double tile[DOWN + 4][ACROSS + 4], mu[DOWN + 2][ACROSS + 2];
    int left = blockIdx.x * ACROSS, top = blockIdx.y * DOWN, t = threadIdx.y * ACROSS + threadIdx.x;
    for (int k = t; k < (DOWN + 4) * (ACROSS + 4); k += THREADS) {
        int y = k / (ACROSS + 4), x = k % (ACROSS + 4);
        tile[y][x] = c[((top + y - 2) & (w - 1)) * w + ((left + x - 2) & (w - 1))];
    }
    __syncthreads();
    for (int k = t; k < (DOWN + 2) * (ACROSS + 2); k += THREADS) {
        int y = k / (ACROSS + 2), x = k % (ACROSS + 2);
        double here = tile[y + 1][x + 1];
        mu[y][x] = here * here * here - here - KAPPA * (tile[y + 1][x] + tile[y + 1][x + 2] + tile[y][x + 1] + tile[y + 2][x + 1] - 4 * here);
    }
    __syncthreads();
    int x = threadIdx.x, y = threadIdx.y;
    double here = tile[y + 2][x + 2], m = mu[y + 1][x + 1];
    double out = current(here, tile[y + 2][x + 1], m, mu[y + 1][x]) + current(here, tile[y + 2][x + 3], m, mu[y + 1][x + 2]) +
                 current(here, tile[y + 1][x + 2], m, mu[y][x + 1]) + current(here, tile[y + 3][x + 2], m, mu[y + 2][x + 1]);
    next[(top + y) * w + left + x] = here - DT * out;
}

__global__ void __launch_bounds__(THREADS) free_energy(int w, const double *__restrict__ c, double *energy)
{
    __shared__ double sums[THREADS / 32];
    double sum = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < w * w; i += gridDim.x * THREADS) {
        int y = i / w, x = i & (w - 1);
        double here = c[i], dx = c[y * w + ((x + 1) & (w - 1))] - here, dy = c[((y + 1) & (w - 1)) * w + x] - here, well = here * here - 1;
        sum += 0.25 * well * well + 0.5 * KAPPA * (dx * dx + dy * dy);
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / 32; k++)
            sum += sums[k];
        atomicAdd(energy, sum);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIDE >> (args.shift + 1) / 2, n = w * w;
    double *start = NEW(double, n), sum = 0;
    for (int i = 0; i < n; i++)
        start[i] = 0.1 + 0.5 * sin(0.05 * (i % w)) * cos(0.03 * (i / w)) + 0.6 * (number(i) - 0.5);
    double *dstart = on_device(start, n), *a = device<double>(n), *b = device<double>(n), *denergy = device<double>(1), *energy = pinned<double>();
    dim3 grid(w / ACROSS, w / DOWN), block(ACROSS, DOWN);
    double best = fastest(args.repeats, [&] {
        const double *c = dstart;
        CHECK(cudaMemsetAsync(denergy, 0, sizeof(double)));
        for (int step = 0; step < STEPS; step++) {
            double *next = step % 2 ? b : a;
            advance<<<grid, block>>>(w, c, next);
            c = next;
        }
        free_energy<<<ceiling(n, THREADS * 4), THREADS>>>(w, c, denergy);
        CHECK(cudaMemcpy(energy, denergy, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(start, b, n);
    for (int i = 0; i < n; i++)
        sum += fabs(start[i]) * (i % 7 + 1);
    report("unmixing", best, sum + *energy);
    return 0;
}
