// Vector addition, float, 2^27.
#include "common.cuh"

__global__ void vector_add(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}

// Four elements in one access.
__global__ void vector_add4(int n, const float4 *__restrict__ a, const float4 *__restrict__ b, float4 *__restrict__ c)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 x = a[i], y = b[i];
        c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    float *a = device<float>(n), *b = device<float>(n), *c = device<float>(n);
    fill(n, a, [] __device__(int i) { return i % 1000; });
    fill(n, b, [] __device__(int i) { return i % 7; });
    times plain = grid_stride(args.repeats, n, vector_add, n, a, b, c);
    times wide = grid_stride(args.repeats, n / 4, vector_add4, n / 4, (float4 *)a, (float4 *)b, (float4 *)c);
    print_row("vector_add", n, plain.usual, fmin(plain.best, wide.best), 12.0 * n, 'B', checksum(n, c, 1));
    return 0;
}
