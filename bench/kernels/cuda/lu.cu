// A matrix of 512 x 512 doubles becomes L and U in place, without pivots: two launches a step.
#include "kernels.cuh"

__global__ void column(int n, int k, double *a)
{
    int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i * n + k] /= a[k * n + k];
}

__global__ void rest(int n, int k, double *a)
{
    int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 512 >> (args.shift + 1) / 2;
    double *a = NEW(double, n * n), sum = 0;
    FILL(a, n * n, 1);
    for (int i = 0; i < n; i++)
        a[i * n + i] += n;
    double *from = on_device(a, n * n), *da = device<double>(n * n);
    dim3 block(32, 8);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(da, from, sizeof(double) * n * n, cudaMemcpyDeviceToDevice));
        for (int k = 0; k < n - 1; k++) {
            int left = n - k - 1;
            column<<<ceiling(left, 128), 128>>>(n, k, da);
            rest<<<dim3(ceiling(left, 32), ceiling(left, 8)), block>>>(n, k, da);
        }
    });
    to_host(a, da, n * n);
    SUM(sum, a, n * n);
    report("lu", best, sum);
    return 0;
}
