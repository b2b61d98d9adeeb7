// Angular correlation of 8192 points of the sky with each other, float: the bin of the cosine of each pair by binary search in
// 32 bounds, counted; a block for each point, counts in shared memory.
#include "kernels.cuh"

constexpr int BINS = 32;

__global__ void correlate(int n, const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                          const float *__restrict__ bounds, unsigned *__restrict__ counts)
{
    __shared__ unsigned bins[BINS];
    __shared__ float edges[BINS + 1];
    for (int k = threadIdx.x; k <= BINS; k += blockDim.x) {
        edges[k] = bounds[k];
        if (k < BINS)
            bins[k] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x; i < n; i += gridDim.x)
        for (int j = i + 1 + threadIdx.x; j < n; j += blockDim.x) {
            float cosine = x[i] * x[j] + y[i] * y[j] + z[i] * z[j];
            int low = 0, high = BINS;
            while (high > low + 1) {
                int middle = (low + high) / 2;
                if (cosine >= edges[middle])
                    high = middle;
                else
                    low = middle;
            }
            atomicAdd(&bins[low], 1);
        }
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 13) >> args.shift / 2;
    float *x = NEW(float, n), *y = NEW(float, n), *z = NEW(float, n), bounds[BINS + 1];
    unsigned counts[BINS];
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double height = 2 * number(2 * i) - 1, angle = 6.283185307179586 * number(2 * i + 1), r = sqrt(1 - height * height);
        x[i] = r * cos(angle), y[i] = r * sin(angle), z[i] = height;
    }
    for (int k = 0; k <= BINS; k++)
        bounds[k] = cos(3.141592653589793 * k * k / (BINS * BINS));
    float *dx = on_device(x, n), *dy = on_device(y, n), *dz = on_device(z, n), *dbounds = on_device(bounds, BINS + 1);
    unsigned *dcounts = device<unsigned>(BINS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dcounts, 0, sizeof counts));
        correlate<<<1056, 256>>>(n, dx, dy, dz, dbounds, dcounts);
    });
    to_host(counts, dcounts, BINS);
    for (int k = 0; k < BINS; k++)
        sum += (double)counts[k] * (k + 1);
    report("tpacf", best, sum);
    return 0;
}
