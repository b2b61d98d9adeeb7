// y = alpha A x + beta B x, 2048 x 2048 floats; a block a row.
#include "kernels.cuh"

__global__ void gesummv(int n, float alpha, float beta, const float *__restrict__ a, const float *__restrict__ b,
                        const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float part[4];
    int i = blockIdx.x;
    float s = 0, t = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        s += a[i * n + j] * x[j];
        t += b[i * n + j] * x[j];
    }
    s = alpha * s + beta * t;
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffff, s, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0)
        y[i] = part[0] + part[1] + part[2] + part[3];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> (args.shift + 1) / 2;
    float *a = NEW(float, n * n), *b = NEW(float, n * n), *x = NEW(float, n), *y = NEW(float, n);
    double sum = 0;
    FILL(a, n * n, 1);
    FILL(b, n * n, 2);
    FILL(x, n, 1);
    float *da = on_device(a, n * n), *db = on_device(b, n * n), *dx = on_device(x, n), *dy = device<float>(n);
    double best = fastest(args.repeats, [&] { gesummv<<<n, 128>>>(n, 1.5f, 1.2f, da, db, dx, dy); });
    to_host(y, dy, n);
    SUM(sum, y, n);
    report("gesummv", best, sum);
    return 0;
}
