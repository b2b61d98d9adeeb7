// American put options by binomial trees, float: 2048 options, 1024 steps each, a block for each; the values of two steps are
// in shared memory.
#include "kernels.cuh"

constexpr int STEPS = 1024;

__global__ void prices(int n, const float *__restrict__ strikes, const float *__restrict__ years, float *__restrict__ result)
{
    __shared__ float tree[2][STEPS + 1];
    int o = blockIdx.x;
    float strike = strikes[o], step = years[o] / STEPS, root = 0.3f * sqrtf(step);
    float up = expf(root), discount = expf(-0.02f * step), rise = (1 / discount - 1 / up) / (up - 1 / up);
    for (int i = threadIdx.x; i <= STEPS; i += blockDim.x)
        tree[0][i] = fmaxf(strike - 100 * expf(root * (2 * i - STEPS)), 0);
    __syncthreads();
    int from = 0;
    for (int t = STEPS - 1; t >= 0; t--, from ^= 1) {
        for (int i = threadIdx.x; i <= t; i += blockDim.x)
            tree[from ^ 1][i] = fmaxf(discount * (rise * tree[from][i + 1] + (1 - rise) * tree[from][i]),
                                      strike - 100 * expf(root * (2 * i - t)));
        __syncthreads();
    }
    if (threadIdx.x == 0)
        result[o] = tree[from][0];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift;
    float *strikes = NEW(float, n), *years = NEW(float, n), *result = NEW(float, n);
    double sum = 0;
    for (int o = 0; o < n; o++)
        strikes[o] = 80 + 40 * number(2 * o), years[o] = 0.25 + 2 * number(2 * o + 1);
    float *dstrikes = on_device(strikes, n), *dyears = on_device(years, n), *dresult = device<float>(n);
    double best = fastest(args.repeats, [&] { prices<<<n, 256>>>(n, dstrikes, dyears, dresult); });
    to_host(result, dresult, n);
    SUM(sum, result, n);
    report("binomial", best, sum);
    return 0;
}
