// Optimal transport between two clouds of 2048 points in space with entropy (Sinkhorn's iterations in logarithms), float: a warp for each point with
// sums by shuffles; a point and its potential are a float4.
#include "kernels.cuh"

constexpr int POINTS = 2048, ROUNDS = 10, THREADS = 128, WARPS = THREADS / 32;
constexpr float BLUR = 0.1f;

__device__ float apart(float4 p, float4 q)
{
    float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    return x * x + y * y + z * z;
}

__global__ void __launch_bounds__(THREADS) soften(int n, int m, float4 *__restrict__ own, const float4 *__restrict__ other, float share)
{
    int i = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (i >= n)
        return;
    float4 p = own[i];
    float largest = -1e30f, sum = 0;
    for (int j = lane; j < m; j += 32) {
        float4 q = other[j];
        largest = fmaxf(largest, q.w - apart(p, q));
    }
    for (int s = 16; s > 0; s /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, s));
    for (int j = lane; j < m; j += 32) {
        float4 q = other[j];
        sum += expf((q.w - apart(p, q) - largest) * (1 / BLUR));
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (lane == 0)
        own[i].w = -(largest + BLUR * (logf(sum) - share));
}

__global__ void __launch_bounds__(THREADS) price(int n, int m, const float4 *__restrict__ a, const float4 *__restrict__ b, double *cost)
{
    __shared__ double sums[WARPS];
    int i = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    double sum = 0;
    if (i < n) {
        float4 p = a[i];
        for (int j = lane; j < m; j += 32) {
            float4 q = b[j];
            float c = apart(p, q);
            sum += expf((p.w + q.w - c) * (1 / BLUR)) * c;
        }
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (lane == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < WARPS; k++)
            sum += sums[k];
        atomicAdd(cost, sum);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> (args.shift + 1) / 2, m = n;
    float *a = NEW(float, 3 * n), *b = NEW(float, 3 * m);
    float4 *p = NEW(float4, n), *q = NEW(float4, m);
    double sum = 0, cost = 0;
    // A cube, and one that lies beside it and is longer.
    FILL(a, 3 * n, 1);
    for (int j = 0; j < 3 * m; j++)
        b[j] = j % 3 ? 0.2 + number(j + 31337) : 0.5 + 1.5 * number(j + 31337);
    for (int i = 0; i < n; i++)
        p[i] = make_float4(a[3 * i], a[3 * i + 1], a[3 * i + 2], 0);
    for (int j = 0; j < m; j++)
        q[j] = make_float4(b[3 * j], b[3 * j + 1], b[3 * j + 2], 0);
    float4 *dp = on_device(p, n), *dq = on_device(q, m), *start = on_device(q, m);
    double *dcost = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(dq, start, m * sizeof(float4), cudaMemcpyDeviceToDevice));
        CHECK(cudaMemsetAsync(dcost, 0, sizeof(double)));
        for (int round = 0; round < ROUNDS; round++) {
            soften<<<ceiling(n, WARPS), THREADS>>>(n, m, dp, dq, logf(m));
            soften<<<ceiling(m, WARPS), THREADS>>>(m, n, dq, dp, logf(n));
        }
        price<<<ceiling(n, WARPS), THREADS>>>(n, m, dp, dq, dcost);
        CHECK(cudaMemcpy(&cost, dcost, sizeof(double), cudaMemcpyDeviceToHost));
    });
    cost = cost / n / m;
    to_host(p, dp, n);
    for (int i = 0; i < n; i++)
        sum += fabs(p[i].w);
    report("transport", best, sum + 100 * cost);
    return 0;
}
