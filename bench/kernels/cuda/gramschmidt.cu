// An orthonormal basis of 256 vectors of 2048 numbers, float, by Gram and Schmidt: for each vector one block for the norm and the column,
// and a block of 256 threads for each column behind it, with a tree of shuffles.
#include "kernels.cuh"

constexpr int ROWS = 2048, COLUMNS = 256;

__device__ float of_block(float x)
{
    __shared__ float part[32];
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = x;
    __syncthreads();
    x = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    if (threadIdx.x < 32)
        for (int d = 16; d > 0; d /= 2)
            x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x == 0)
        part[0] = x;
    __syncthreads();
    return part[0];
}

__global__ void column(int m, int n, int k, const float *__restrict__ a, float *__restrict__ q)
{
    float sum = 0;
    for (int i = threadIdx.x; i < m; i += blockDim.x)
        sum += a[i * n + k] * a[i * n + k];
    float norm = sqrtf(of_block(sum));
    for (int i = threadIdx.x; i < m; i += blockDim.x)
        q[i * n + k] = a[i * n + k] / norm;
}

__global__ void others(int m, int n, int k, float *__restrict__ a, float *__restrict__ r, const float *__restrict__ q)
{
    int j = k + 1 + blockIdx.x;
    float sum = 0;
    for (int i = threadIdx.x; i < m; i += blockDim.x)
        sum += q[i * n + k] * a[i * n + j];
    float dot = of_block(sum);
    if (threadIdx.x == 0)
        r[k * n + j] = dot;
    for (int i = threadIdx.x; i < m; i += blockDim.x)
        a[i * n + j] -= q[i * n + k] * dot;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = ROWS >> args.shift / 2, n = COLUMNS, all = m * n;
    float *from = NEW(float, all), *r = (float *)calloc(n, n * sizeof(float));
    double sum = 0;
    FILL(from, all, 1);
    for (int k = 0; k < n; k++)
        from[k * n + k] += 20;
    float *dfrom = on_device(from, all), *dr = on_device(r, n * n), *da = device<float>(all), *dq = device<float>(all);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(da, dfrom, all * sizeof(float), cudaMemcpyDeviceToDevice));
        for (int k = 0; k < n; k++) {
            column<<<1, 1024>>>(m, n, k, da, dq);
            if (k + 1 < n)
                others<<<n - k - 1, 256>>>(m, n, k, da, dr, dq);
        }
    });
    to_host(r, dr, n * n);
    SUM(sum, r, n * n);
    report("gramschmidt", best, sum);
    return 0;
}
