// Smoke in a field of 1024 x 1024 floats is carried back along a velocity, found between four points, with a second step that corrects the
// error; a thread a point.
#include "kernels.cuh"

__device__ float between(const float *__restrict__ f, int n, float x, float y)
{
    x = fminf(fmaxf(x, 0.5f), n - 1.5f);
    y = fminf(fmaxf(y, 0.5f), n - 1.5f);
    int i = (int)x, j = (int)y;
    float s = x - i, t = y - j;
    return (1 - s) * ((1 - t) * f[j * n + i] + t * f[(j + 1) * n + i]) + s * ((1 - t) * f[j * n + i + 1] + t * f[(j + 1) * n + i + 1]);
}

__global__ void there(int n, float dt, const float *__restrict__ u, const float *__restrict__ v, const float *__restrict__ in,
                      float *__restrict__ half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        half[j * n + i] = between(in, n, i - dt * u[j * n + i], j - dt * v[j * n + i]);
}

__global__ void back(int n, float dt, const float *__restrict__ u, const float *__restrict__ v, const float *__restrict__ in,
                     const float *__restrict__ half, float *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        float again = between(half, n, i + dt * u[j * n + i], j + dt * v[j * n + i]);
        out[j * n + i] = half[j * n + i] + 0.5f * (in[j * n + i] - again);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> (args.shift + 1) / 2;
    float *u = NEW(float, n * n), *v = NEW(float, n * n), *in = NEW(float, n * n), *out = NEW(float, n * n);
    double sum = 0;
    FILL(u, n * n, 4);
    FILL(v, n * n, 3);
    FILL(in, n * n, 1);
    float *du = on_device(u, n * n), *dv = on_device(v, n * n), *din = on_device(in, n * n), *half = device<float>(n * n),
          *dout = device<float>(n * n);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] {
        there<<<grid, block>>>(n, 0.7f, du, dv, din, half);
        back<<<grid, block>>>(n, 0.7f, du, dv, din, half, dout);
    });
    to_host(out, dout, n * n);
    SUM(sum, out, n * n);
    report("advect", best, floor(sum / 10));
    return 0;
}
