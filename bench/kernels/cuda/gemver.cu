// Two updates of rank one of a matrix of 2048 x 2048 doubles, a product with its transpose and a product with it: a thread an element or
// column, a warp a row.
#include "kernels.cuh"

__global__ void update(int n, double *__restrict__ a, const double *__restrict__ u1, const double *__restrict__ v1,
                       const double *__restrict__ u2, const double *__restrict__ v2)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

__global__ void columns(int n, double beta, const double *__restrict__ a, double *__restrict__ x, const double *__restrict__ y,
                        const double *__restrict__ z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += beta * a[j * n + i] * y[j];
        x[i] = sum + z[i];
    }
}

__global__ void rows(int n, double alpha, const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ w)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i < n) {
        double sum = 0;
        for (int j = lane; j < n; j += 32)
            sum += alpha * a[i * n + j] * x[j];
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, d);
        if (lane == 0)
            w[i] = sum;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> (args.shift + 1) / 2;
    double *a = NEW(double, n * n), *of = NEW(double, n), *d[8], sum = 0;
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < n; i++)
            of[i] = number(i * 8 + k) / n;
        d[k] = on_device(of, n);
    }
    FILL(a, n * n, 1);
    double *da = on_device(a, n * n);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] {
        update<<<grid, block>>>(n, da, d[0], d[1], d[2], d[3]);
        columns<<<ceiling(n, 64), 64>>>(n, 1.2, da, d[5], d[6], d[7]);
        rows<<<ceiling(n, 8), 256>>>(n, 1.5, da, d[5], d[4]);
    });
    to_host(of, d[4], n);
    SUM(sum, of, n);
    report("gemver", best, sum);
    return 0;
}
