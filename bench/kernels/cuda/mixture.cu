// Responsibilities of 16 diagonal Gaussians in 8 dimensions for 2^17 points, float; a thread a point, the model in constant memory.
#include "kernels.cuh"

constexpr int PARTS = 16, DIMS = 8;
__constant__ float mean[PARTS * DIMS], inverse[PARTS * DIMS], weight[PARTS];

__global__ void expect(int n, const float *__restrict__ x, float *__restrict__ share, float *__restrict__ likelihood)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float own[DIMS], density[PARTS], most = -1e30f, sum = 0;
#pragma unroll
    for (int c = 0; c < DIMS; c++)
        own[c] = x[i * DIMS + c];
#pragma unroll
    for (int k = 0; k < PARTS; k++) {
        float d = weight[k];
#pragma unroll
        for (int c = 0; c < DIMS; c++) {
            float e = own[c] - mean[k * DIMS + c];
            d -= 0.5f * e * e * inverse[k * DIMS + c];
        }
        density[k] = d;
        most = fmaxf(most, d);
    }
#pragma unroll
    for (int k = 0; k < PARTS; k++) {
        density[k] = expf(density[k] - most);
        sum += density[k];
    }
#pragma unroll
    for (int k = 0; k < PARTS; k++)
        share[i * PARTS + k] = density[k] / sum;
    likelihood[i] = most + logf(sum);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 17) >> args.shift;
    float *x = NEW(float, n * DIMS), *share = NEW(float, n * PARTS), *likelihood = NEW(float, n);
    float hmean[PARTS * DIMS], hinverse[PARTS * DIMS], hweight[PARTS];
    double sum = 0;
    FILL(x, n * DIMS, 4);
    for (int k = 0; k < PARTS * DIMS; k++)
        hmean[k] = 4 * number(k + 77), hinverse[k] = 1 + number(k + 99);
    for (int k = 0; k < PARTS; k++)
        hweight[k] = -3 + number(k);
    CHECK(cudaMemcpyToSymbol(mean, hmean, sizeof hmean));
    CHECK(cudaMemcpyToSymbol(inverse, hinverse, sizeof hinverse));
    CHECK(cudaMemcpyToSymbol(weight, hweight, sizeof hweight));
    float *dx = on_device(x, n * DIMS), *dshare = device<float>(n * PARTS), *dlikelihood = device<float>(n);
    double best = fastest(args.repeats, [&] { expect<<<ceiling(n, 256), 256>>>(n, dx, dshare, dlikelihood); });
    to_host(share, dshare, n * PARTS);
    to_host(likelihood, dlikelihood, n);
    for (int k = 0; k < n * PARTS; k++)
        sum += share[k] * (1 + k % 7);
    SUM(sum, likelihood, n);
    report("mixture", best, sum);
    return 0;
}
