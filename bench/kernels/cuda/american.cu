// An American put by least squares over 2^17 simulated paths of 50 steps, double: a thread a path; the eight sums of a step are reduced in warps
// and blocks and added to those of the whole, from which each block of the next launch finds the parabola itself.
#include "kernels.cuh"

constexpr int PATHS = 1 << 17, STEPS = 50, SUMS = 8, THREADS = 256;
constexpr double START = 36, STRIKE = 40, RATE = 0.06, SPREAD = 0.2, DT = 1.0 / STEPS;

__global__ void __launch_bounds__(THREADS) simulate(int n, double drift, double jump, double *__restrict__ price, double *__restrict__ cash)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    double s = START;
    price[i] = s;
    for (int t = 1; t <= STEPS; t++) {
        unsigned k = 2u * (t * n + i);
        double u = (mix(k) + 0.5) / 4294967296.0, v = (mix(k + 1) + 0.5) / 4294967296.0;
        s *= exp(drift + jump * sqrt(-2 * log(u)) * cospi(2 * v));
        price[t * n + i] = s;
    }
    cash[i] = fmax(0.0, STRIKE - s);
}

__global__ void __launch_bounds__(THREADS) moments(int n, double discount, const double *__restrict__ now, double *__restrict__ cash, double *sums)
{
    __shared__ double part[SUMS][THREADS / 32];
    double m[SUMS] = {0};
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        double x = now[i] / STRIKE - 1, y = discount * cash[i];
        cash[i] = y;
        if (x < 0) {
            double xx = x * x;
            m[0] += 1;
            m[1] += x;
            m[2] += xx;
            m[3] += xx * x;
            m[4] += xx * xx;
            m[5] += y;
            m[6] += x * y;
            m[7] += xx * y;
        }
    }
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int k = 0; k < SUMS; k++) {
        for (int d = 16; d > 0; d /= 2)
            m[k] += __shfl_down_sync(0xffffffffu, m[k], d);
        if (lane == 0)
            part[k][warp] = m[k];
    }
    __syncthreads();
    if (threadIdx.x < SUMS) {
        double total = 0;
        for (int w = 0; w < THREADS / 32; w++)
            total += part[threadIdx.x][w];
        atomicAdd(&sums[threadIdx.x], total);
    }
}

__global__ void __launch_bounds__(THREADS) exercise(int n, const double *__restrict__ now, const double *__restrict__ sums, double *__restrict__ cash)
{
    __shared__ double c[3];
    if (threadIdx.x == 0) {
        double s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3], s4 = sums[4], y0 = sums[5], y1 = sums[6], y2 = sums[7];
        double a = s2 * s4 - s3 * s3, b = s1 * s4 - s2 * s3, d = s1 * s3 - s2 * s2, e = s0 * s3 - s1 * s2, det = s0 * a - s1 * b + s2 * d;
        bool enough = s0 >= 16;
        c[0] = enough ? (y0 * a - y1 * b + y2 * d) / det : 1e30;
        c[1] = enough ? (-y0 * b + y1 * (s0 * s4 - s2 * s2) - y2 * e) / det : 0;
        c[2] = enough ? (y0 * d - y1 * e + y2 * (s0 * s2 - s1 * s1)) / det : 0;
    }
    __syncthreads();
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    double x = now[i] / STRIKE - 1;
    if (x < 0 && -STRIKE * x > c[0] + x * (c[1] + x * c[2]))
        cash[i] = -STRIKE * x;
}

__global__ void __launch_bounds__(THREADS) add(int n, const double *__restrict__ cash, double *total)
{
    __shared__ double part[THREADS / 32];
    double mine = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        mine += cash[i];
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            mine += part[w];
        atomicAdd(total, mine);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PATHS >> args.shift;
    double *cash = NEW(double, n), sum = 0, discount = exp(-RATE * DT);
    double *dprice = device<double>((size_t)n * (STEPS + 1)), *dcash = device<double>(n), *sums = device<double>(STEPS * SUMS + 1);
    double *total = pinned<double>();
    int all = ceiling(n, THREADS), few = ceiling(n, 4 * THREADS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(sums, 0, (STEPS * SUMS + 1) * sizeof(double)));
        simulate<<<all, THREADS>>>(n, (RATE - 0.5 * SPREAD * SPREAD) * DT, SPREAD * sqrt(DT), dprice, dcash);
        for (int t = STEPS - 1; t > 0; t--) {
            moments<<<few, THREADS>>>(n, discount, dprice + (size_t)t * n, dcash, sums + t * SUMS);
            exercise<<<all, THREADS>>>(n, dprice + (size_t)t * n, sums + t * SUMS, dcash);
        }
        add<<<few, THREADS>>>(n, dcash, sums + STEPS * SUMS);
        CHECK(cudaMemcpyAsync(total, sums + STEPS * SUMS, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(cash, dcash, n);
    for (int i = 0; i < n; i++)
        sum += cash[i] * (1 + i % 3);
    report("american", best, sum + 1000 * (discount * *total / n));
    return 0;
}
