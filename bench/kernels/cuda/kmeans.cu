// Assignment step of k-means, float: 2^20 points of 16 dimensions, 32 centres, which are in shared memory.
#include "kernels.cuh"

constexpr int DIMS = 16, CENTRES = 32;

__global__ void assign(int n, const float4 *__restrict__ points, const float *__restrict__ centres,
                       int *__restrict__ nearest)
{
    __shared__ float shared[CENTRES * DIMS];
    for (int k = threadIdx.x; k < CENTRES * DIMS; k += blockDim.x)
        shared[k] = centres[k];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, which = 0;
    if (i >= n)
        return;
    float v[DIMS], best = 1e30f;
#pragma unroll
    for (int d = 0; d < DIMS / 4; d++)
        reinterpret_cast<float4 *>(v)[d] = points[i * (DIMS / 4) + d];
    for (int c = 0; c < CENTRES; c++) {
        float s = 0;
#pragma unroll
        for (int d = 0; d < DIMS; d++)
            s += (v[d] - shared[c * DIMS + d]) * (v[d] - shared[c * DIMS + d]);
        if (s < best) {
            best = s;
            which = c;
        }
    }
    nearest[i] = which;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift, *nearest = NEW(int, n), *dnearest = device<int>(n);
    float *points = NEW(float, n *DIMS), *centres = NEW(float, CENTRES *DIMS);
    double sum = 0;
    FILL(points, n * DIMS, 1);
    FILL(centres, CENTRES * DIMS, 1);
    float4 *dpoints = reinterpret_cast<float4 *>(on_device(points, n * DIMS));
    float *dcentres = on_device(centres, CENTRES * DIMS);
    double best = fastest(args.repeats, [&] { assign<<<ceiling(n, 256), 256>>>(n, dpoints, dcentres, dnearest); });
    to_host(nearest, dnearest, n);
    SUM(sum, nearest, n);
    report("kmeans", best, sum);
    return 0;
}
