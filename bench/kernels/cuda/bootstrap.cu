// A bootstrap of a correlation: 2^14 samples with replacement from 2048 pairs of doubles, the coefficient of each, then mean and variance of all
// coefficients; a block of 128 threads a sample, whose five sums are added by shuffles and shared memory.
#include "kernels.cuh"

constexpr int SAMPLES = 1 << 14, PAIRS = 2048, BLOCK = 128;

__device__ double of_warp(double x)
{
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(~0u, x, d);
    return x;
}

__global__ void samples(int m, const double *__restrict__ x, const double *__restrict__ y, double *__restrict__ r)
{
    __shared__ double part[BLOCK / 32][5];
    double sum[5] = {};
    for (int k = threadIdx.x; k < m; k += BLOCK) {
        int at = mix(blockIdx.x * m + k) % m;
        double a = x[at], b = y[at];
        sum[0] += a;
        sum[1] += b;
        sum[2] += a * a;
        sum[3] += b * b;
        sum[4] += a * b;
    }
#pragma unroll
    for (int j = 0; j < 5; j++) {
        double s = of_warp(sum[j]);
        if (threadIdx.x % 32 == 0)
            part[threadIdx.x / 32][j] = s;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < BLOCK / 32; w++)
            for (int j = 0; j < 5; j++)
                part[0][j] += part[w][j];
        double *s = part[0];
        r[blockIdx.x] = (m * s[4] - s[0] * s[1]) / sqrt((m * s[2] - s[0] * s[0]) * (m * s[3] - s[1] * s[1]));
    }
}

// Sums of the coefficients or of squares of their distances from the mean, and how many are positive.
__global__ void moment(int n, const double *__restrict__ r, bool squares, double mean, double *__restrict__ result)
{
    double sum = 0, positive = 0;
    for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < n; s += gridDim.x * blockDim.x) {
        double d = r[s] - mean;
        sum += squares ? d * d : d;
        positive += r[s] > 0;
    }
    sum = of_warp(sum);
    positive = of_warp(positive);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&result[0], sum);
        atomicAdd(&result[1], positive);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift, m = PAIRS;
    double *x = NEW(double, m), *y = NEW(double, m), *r = NEW(double, n), sum = 0, mean = 0, variance = 0, positive = 0;
    for (int k = 0; k < m; k++) {
        x[k] = number(2 * k);
        y[k] = number(2 * k + 1) + 0.05 * x[k];
    }
    double *dx = on_device(x, m), *dy = on_device(y, m), *dr = device<double>(n), *dresult = device<double>(2), *result = pinned<double>(2);
    auto sums = [&](bool squares, double from) {
        CHECK(cudaMemsetAsync(dresult, 0, 2 * sizeof(double)));
        moment<<<ceiling(n, 256), 256>>>(n, dr, squares, from, dresult);
        CHECK(cudaMemcpyAsync(result, dresult, 2 * sizeof(double), cudaMemcpyDeviceToHost));
        CHECK(cudaStreamSynchronize(0));
    };
    double best = fastest(args.repeats, [&] {
        samples<<<n, BLOCK>>>(m, dx, dy, dr);
        sums(false, 0);
        mean = result[0] / n;
        positive = result[1] / n;
        sums(true, mean);
        variance = result[0] / (n - 1);
    });
    to_host(r, dr, n);
    for (int s = 0; s < n; s++)
        sum += fabs(r[s]) * (1 + s % 3);
    report("bootstrap", best, sum + 100 * mean + 1e5 * variance + 10 * positive);
    return 0;
}
