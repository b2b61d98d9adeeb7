// A surface of Bezier of 8 x 8 control points, evaluated at 1024 x 1024 places, float; a thread a place, control points in constant memory.
#include "kernels.cuh"

constexpr int ORDER = 7;
struct point { float x, y, z; };
__constant__ point control[(ORDER + 1) * (ORDER + 1)];

__device__ void weights(float t, float *w)
{
    const float binomial[ORDER + 1] = {1, 7, 21, 35, 35, 21, 7, 1};
    float power = 1;
#pragma unroll
    for (int k = 0; k <= ORDER; k++, power *= t)
        w[k] = binomial[k] * power;
    power = 1;
#pragma unroll
    for (int k = ORDER; k >= 0; k--, power *= 1 - t)
        w[k] *= power;
}

__global__ void surface(int n, point *__restrict__ out)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float wi[ORDER + 1], wj[ORDER + 1];
    weights(i / (float)(n - 1), wi);
    weights(j / (float)(n - 1), wj);
    point p = {0, 0, 0};
#pragma unroll
    for (int k = 0; k <= ORDER; k++)
#pragma unroll
        for (int l = 0; l <= ORDER; l++) {
            float b = wi[k] * wj[l];
            p.x += control[k * (ORDER + 1) + l].x * b;
            p.y += control[k * (ORDER + 1) + l].y * b;
            p.z += control[k * (ORDER + 1) + l].z * b;
        }
    out[i * n + j] = p;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> (args.shift + 1) / 2;
    point points[(ORDER + 1) * (ORDER + 1)], *out = NEW(point, n * n);
    double sum = 0;
    for (int k = 0; k < (ORDER + 1) * (ORDER + 1); k++)
        points[k] = {(float)(k / (ORDER + 1)), (float)(k % (ORDER + 1)), (float)number(k)};
    CHECK(cudaMemcpyToSymbol(control, points, sizeof points));
    point *dout = device<point>(n * n);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] { surface<<<grid, block>>>(n, dout); });
    to_host(out, dout, n * n);
    for (int k = 0; k < n * n; k++)
        sum += out[k].x + 2 * out[k].y + 3 * out[k].z;
    report("bezier", best, sum);
    return 0;
}
