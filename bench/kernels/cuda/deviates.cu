// Gaussian deviates by the polar method, double: 2^24 pairs of random numbers of linear congruence, 2^8 per thread; sums of
// the deviates and how many fall into each of ten annuli, both by warps and blocks, then atomically.
#include "kernels.cuh"

constexpr int EACH = 256, ANNULI = 10;
constexpr unsigned long long FACTOR = 6364136223846793005ull, ADDEND_OF = 1442695040888963407ull;

__global__ void deviates(int n, double *sums, int *counts)
{
    __shared__ int bins[ANNULI];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sx = 0, sy = 0;
    if (threadIdx.x < ANNULI)
        bins[threadIdx.x] = 0;
    __syncthreads();
    if (i < n) {
        unsigned long long state = mix(i) + (unsigned long long)mix(~i) * 4294967296;
        for (int k = 0; k < EACH; k++) {
            state = state * FACTOR + ADDEND_OF;
            double x = 2.0 * (state >> 11) / 9007199254740992.0 - 1;
            state = state * FACTOR + ADDEND_OF;
            double y = 2.0 * (state >> 11) / 9007199254740992.0 - 1;
            double t = x * x + y * y;
            if (t <= 1) {
                double f = sqrt(-2 * log(t) / t);
                int l = (int)fmax(fabs(x * f), fabs(y * f));
                atomicAdd(&bins[l], 1);
                sx += x * f;
                sy += y * f;
            }
        }
    }
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        sx += __shfl_down_sync(~0u, sx, lanes);
        sy += __shfl_down_sync(~0u, sy, lanes);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[0], sx);
        atomicAdd(&sums[1], sy);
    }
    __syncthreads();
    if (threadIdx.x < ANNULI)
        atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ((1 << 24) >> args.shift) / EACH, counts[ANNULI];
    double sums[2], sum = 0, *dsums = device<double>(2);
    int *dcounts = device<int>(ANNULI);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dsums, 0, sizeof sums));
        CHECK(cudaMemsetAsync(dcounts, 0, sizeof counts));
        deviates<<<ceiling(n, 128), 128>>>(n, dsums, dcounts);
        CHECK(cudaMemcpyAsync(sums, dsums, sizeof sums, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpyAsync(counts, dcounts, sizeof counts, cudaMemcpyDeviceToHost));
    });
    for (int k = 0; k < ANNULI; k++)
        sum += (double)counts[k] * (k + 1);
    report("deviates", best, sum + sums[0] + sums[1]);
    return 0;
}
