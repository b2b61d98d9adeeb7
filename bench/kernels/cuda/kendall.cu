// Kendall's rank correlations (tau-b, with ties) of all pairs of 64 variables in 2048 samples, float: a block a
// pair of variables, whose columns lie in shared memory; a warp reads two earlier samples at once for all of its
// own.
#include "kernels.cuh"

constexpr int VARIABLES = 64, SAMPLES = 2048, PAIRS = VARIABLES * (VARIABLES - 1) / 2, THREADS = 256;

__device__ int block_sum(int v)
{
    __shared__ int parts[THREADS / 32];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0;
    for (int k = 0; k < THREADS / 32; k++)
        v += parts[k];
    return v;
}

__global__ void __launch_bounds__(THREADS) count_ties(int n, const float *__restrict__ x, int *__restrict__ ties)
{
    __shared__ float column[SAMPLES];
    int same = 0;
    for (int i = threadIdx.x; i < n; i += THREADS)
        column[i] = x[blockIdx.x * n + i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS)
        for (int j = 0; j < i; j++)
            same += column[i] == column[j];
    same = block_sum(same);
    if (threadIdx.x == 0)
        ties[blockIdx.x] = same;
}

// For the pair of samples or against it: the sign of a product whose factors have few bits.
__device__ int agree(float2 a, float x, float y)
{
    float product = (a.x - x) * (a.y - y);
    return (product > 0) - (product < 0);
}

__global__ void __launch_bounds__(THREADS)
correlate(int n, const float *__restrict__ x, const int *__restrict__ ties, double *__restrict__ tau)
{
    __shared__ __align__(16) float2 both[SAMPLES];
    int b = blockIdx.x, a = 1, score = 0;
    while (b >= a)
        b -= a++;
    for (int i = threadIdx.x; i < n; i += THREADS)
        both[i] = make_float2(x[a * n + i], x[b * n + i]);
    __syncthreads();
    for (int base = 0; base < n; base += THREADS) {
        int i = base + threadIdx.x;
        if (i >= n)
            break;
        float2 own = both[i];
        const float4 *two = reinterpret_cast<const float4 *>(both);
#pragma unroll 4
        for (int j = 0; j < base / 2; j++) {
            float4 t = two[j];
            score += agree(own, t.x, t.y) + agree(own, t.z, t.w);
        }
        for (int j = base; j < i; j++)
            score += agree(own, both[j].x, both[j].y);
    }
    score = block_sum(score);
    double all = 0.5 * n * (n - 1);
    if (threadIdx.x == 0)
        tau[a * VARIABLES + b] = score / sqrt((all - ties[a]) * (all - ties[b]));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift;
    float *x = NEW(float, VARIABLES * n);
    double *tau = NEW(double, VARIABLES * VARIABLES), sum = 0;
    for (int a = 0; a < VARIABLES; a++)
        for (int i = 0; i < n; i++)
            x[a * n + i] = floor(40 * number(i) + 4 * a * number(a * n + i)) / 16;
    float *dx = on_device(x, VARIABLES * n);
    int *dties = device<int>(VARIABLES);
    double *dtau = device<double>(VARIABLES * VARIABLES);
    double best = fastest(args.repeats, [&] {
        count_ties<<<VARIABLES, THREADS>>>(n, dx, dties);
        correlate<<<PAIRS, THREADS>>>(n, dx, dties, dtau);
    });
    to_host(tau, dtau, VARIABLES * VARIABLES);
    for (int a = 1; a < VARIABLES; a++)
        for (int b = 0; b < a; b++)
            sum += tau[a * VARIABLES + b] * (1 + b % 7);
    report("kendall", best, sum);
    return 0;
}
