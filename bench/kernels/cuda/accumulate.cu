// Update step of k-means, float: sums and numbers of the points of 32 centres, 2^20 points of 16 dimensions. Each block
// adds up in shared memory.
#include "kernels.cuh"

constexpr int DIMS = 16, CENTRES = 32;

__global__ void accumulate(int n, const float4 *__restrict__ points, const int *__restrict__ nearest,
                           float *__restrict__ sums, int *__restrict__ counts)
{
    __shared__ float sum[CENTRES * DIMS];
    __shared__ int count[CENTRES];
    for (int k = threadIdx.x; k < CENTRES * DIMS; k += blockDim.x)
        sum[k] = 0;
    for (int k = threadIdx.x; k < CENTRES; k += blockDim.x)
        count[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int c = nearest[i];
        for (int d = 0; d < DIMS / 4; d++) {
            float4 v = points[i * (DIMS / 4) + d];
            atomicAdd(&sum[c * DIMS + 4 * d], v.x);
            atomicAdd(&sum[c * DIMS + 4 * d + 1], v.y);
            atomicAdd(&sum[c * DIMS + 4 * d + 2], v.z);
            atomicAdd(&sum[c * DIMS + 4 * d + 3], v.w);
        }
        atomicAdd(&count[c], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < CENTRES * DIMS; k += blockDim.x)
        atomicAdd(&sums[k], sum[k]);
    for (int k = threadIdx.x; k < CENTRES; k += blockDim.x)
        atomicAdd(&counts[k], count[k]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift, *nearest = NEW(int, n), *counts = NEW(int, CENTRES), *dcounts = device<int>(CENTRES);
    float *points = NEW(float, n *DIMS), *sums = NEW(float, CENTRES *DIMS), *dsums = device<float>(CENTRES * DIMS);
    double sum = 0;
    for (int i = 0; i < n * DIMS; i++)
        points[i] = (int)(64 * number(i)) / 64.0f;
    for (int i = 0; i < n; i++)
        nearest[i] = (int)(CENTRES * number(i));
    float4 *dpoints = reinterpret_cast<float4 *>(on_device(points, n * DIMS));
    int *dnearest = on_device(nearest, n), grid = full_grid(accumulate, 256);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dsums, 0, CENTRES * DIMS * sizeof(float)));
        CHECK(cudaMemsetAsync(dcounts, 0, CENTRES * sizeof(int)));
        accumulate<<<grid, 256>>>(n, dpoints, dnearest, dsums, dcounts);
    });
    to_host(sums, dsums, CENTRES * DIMS);
    to_host(counts, dcounts, CENTRES);
    for (int k = 0; k < CENTRES * DIMS; k++)
        sum += sums[k] * (1 + k % 7) + counts[k / DIMS] * (k % 5);
    report("accumulate", best, sum);
    return 0;
}
