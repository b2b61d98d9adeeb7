// Gaussian elimination without pivots, float, 512 equations: two launches for each column.
#include "kernels.cuh"

__global__ void begin(int n, const float *__restrict__ in, float *__restrict__ a, float *__restrict__ b)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n * n)
        a[k] = in[k];
    if (k < n)
        b[k] = 1;
}

__global__ void multipliers(int n, int t, const float *__restrict__ a, float *__restrict__ m)
{
    int i = t + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        m[i] = a[i * n + t] / a[t * n + t];
}

__global__ void subtract(int n, int t, float *__restrict__ a, float *__restrict__ b, const float *__restrict__ m)
{
    int j = t + blockIdx.x * blockDim.x + threadIdx.x, i = t + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    a[i * n + j] -= m[i] * a[t * n + j];
    if (j == t)
        b[i] -= m[i] * b[t];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 512 >> args.shift, all = n * n;
    float *in = NEW(float, all), *a = NEW(float, all), *b = NEW(float, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            in[i * n + j] = i == j ? 2 : 1.0f / (1 + abs(i - j));
    float *din = on_device(in, all), *da = device<float>(all), *db = device<float>(n), *dm = device<float>(n);
    double best = fastest(args.repeats, [&] {
        begin<<<ceiling(all, 256), 256>>>(n, din, da, db);
        for (int t = 0; t < n - 1; t++) {
            multipliers<<<ceiling(n - t - 1, 128), 128>>>(n, t, da, dm);
            subtract<<<dim3(ceiling(n - t, 32), ceiling(n - t - 1, 8)), dim3(32, 8)>>>(n, t, da, db, dm);
        }
    });
    to_host(a, da, all);
    to_host(b, db, n);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            sum += fabs(a[i * n + j]) + fabs(b[i]);
    report("gaussian", best, sum);
    return 0;
}
