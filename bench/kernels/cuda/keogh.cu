// Lower bounds by Keogh for 2^20 windows of a series and a query of 256 floats: a thread a window, the block's part of the series and the envelope in
// shared memory; the least by an atomic minimum of bits.
#include "kernels.cuh"

enum { WINDOWS = 1 << 20, QUERY = 256, REACH = 16 };

constexpr int THREADS = 256;

__global__ void envelope(const float *__restrict__ query, float2 *__restrict__ range, unsigned *least)
{
    int j = threadIdx.x;
    __shared__ float q[QUERY];
    q[j] = query[j];
    __syncthreads();
    float low = q[j], high = q[j];
    for (int k = max(j - REACH, 0); k <= min(j + REACH, QUERY - 1); k++) {
        low = fminf(low, q[k]);
        high = fmaxf(high, q[k]);
    }
    range[j] = make_float2(low, high);
    if (j == 0)
        *least = __float_as_uint(1e30f);
}

__global__ void __launch_bounds__(THREADS) bounds(const float *__restrict__ x, const float2 *__restrict__ range, float *__restrict__ bound, unsigned *least)
{
    __shared__ float part[THREADS + QUERY];
    __shared__ float2 r[QUERY];
    __shared__ unsigned lowest;
    int first = blockIdx.x * THREADS, i = threadIdx.x;
    part[i] = x[first + i];
    part[THREADS + i] = x[first + THREADS + i];
    r[i] = range[i];
    if (i == 0)
        lowest = __float_as_uint(1e30f);
    __syncthreads();
    float sum = 0, squares = 0, total = 0;
#pragma unroll 8
    for (int j = 0; j < QUERY; j++) {
        float v = part[i + j];
        sum += v;
        squares += v * v;
    }
    float mean = sum / QUERY, inverse = rsqrtf(squares / QUERY - mean * mean), shift = -mean * inverse;
#pragma unroll 8
    for (int j = 0; j < QUERY; j++) {
        float z = part[i + j] * inverse + shift;
        float d = fmaxf(fmaxf(z - r[j].y, r[j].x - z), 0.0f);
        total += d * d;
    }
    total = sqrtf(total);
    bound[first + i] = total;
    for (int d = 16; d > 0; d /= 2)
        total = fminf(total, __shfl_xor_sync(0xffffffff, total, d));
    if (i % 32 == 0)
        atomicMin(&lowest, __float_as_uint(total));
    __syncthreads();
    if (i == 0)
        atomicMin(least, lowest);
}

// A wave as the query, with mean 0 and deviation 1; the series wanders and comes back.
static void series(int n, float *query, float *x)
{
    double sum = 0, squares = 0, at = 0;
    for (int j = 0; j < QUERY; j++) {
        query[j] = sin(0.05 * j) + 0.5 * cos(0.17 * j) + 0.3 * number(j);
        sum += query[j], squares += query[j] * query[j];
    }
    sum /= QUERY, squares = sqrt(squares / QUERY - sum * sum);
    for (int j = 0; j < QUERY; j++)
        query[j] = (query[j] - sum) / squares;
    for (int i = 0; i < n + QUERY; i++) {
        at = 0.97 * at + 0.3 * (number(i + 1000) - 0.5);
        x[i] = at;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = WINDOWS >> args.shift;
    float *query = NEW(float, QUERY), *x = NEW(float, n + QUERY), *bound = NEW(float, n), *least = pinned<float>();
    double sum = 0;
    series(n, query, x);
    float *dquery = on_device(query, QUERY), *dx = on_device(x, n + QUERY), *dbound = device<float>(n);
    float2 *range = device<float2>(QUERY);
    unsigned *dleast = device<unsigned>(1);
    double best = fastest(args.repeats, [&] {
        envelope<<<1, QUERY>>>(dquery, range, dleast);
        bounds<<<n / THREADS, THREADS>>>(dx, range, dbound, dleast);
        CHECK(cudaMemcpyAsync(least, dleast, sizeof *least, cudaMemcpyDeviceToHost));
    });
    to_host(bound, dbound, n);
    SUM(sum, bound, n);
    report("keogh", best, sum + *least);
    return 0;
}
