// A step of sound in 160^3 cells of a staggered grid, float, with absorbing layers of ten cells on all sides
// (convolutional PML): a thread a cell in blocks of 32 x 8, one launch for velocities and one for pressure.
#include "kernels.cuh"

constexpr int SIDE = 160, LAYER = 10;

struct fields {
    float *p, *vx, *vy, *vz, *px, *py, *pz, *qx, *qy, *qz;
};

__device__ bool layered(int k, int end) { return k < LAYER || k >= end - LAYER; }

__device__ void absorb(float &slope, float *__restrict__ memory, int i, float gain, float decay)
{
    float m = decay * memory[i] + gain * slope;
    memory[i] = m;
    slope += m;
}

__global__ void __launch_bounds__(256)
velocities(int n, const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ p, fields f)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z;
    if (x >= n - 1 || y >= n - 1)
        return;
    int i = (z * n + y) * n + x;
    float here = p[i], dx = p[i + 1] - here, dy = p[i + n] - here, dz = p[i + n * n] - here;
    if (layered(x, n - 1))
        absorb(dx, f.px, i, a[x], b[x]);
    if (layered(y, n - 1))
        absorb(dy, f.py, i, a[y], b[y]);
    if (layered(z, n - 1))
        absorb(dz, f.pz, i, a[z], b[z]);
    f.vx[i] -= 0.5f * dx;
    f.vy[i] -= 0.5f * dy;
    f.vz[i] -= 0.5f * dz;
}

__global__ void __launch_bounds__(256)
pressure(int n, const float *__restrict__ stiff, const float *__restrict__ a, const float *__restrict__ b,
         const float *__restrict__ vx, const float *__restrict__ vy, const float *__restrict__ vz, fields f)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y + 1, z = blockIdx.z + 1;
    if (x < 1 || x >= n - 1 || y >= n - 1)
        return;
    int i = (z * n + y) * n + x;
    float dx = vx[i] - vx[i - 1], dy = vy[i] - vy[i - n], dz = vz[i] - vz[i - n * n];
    if (layered(x, n))
        absorb(dx, f.qx, i, a[n + x], b[n + x]);
    if (layered(y, n))
        absorb(dy, f.qy, i, a[n + y], b[n + y]);
    if (layered(z, n))
        absorb(dz, f.qz, i, a[n + z], b[n + z]);
    f.p[i] -= 0.5f * stiff[i] * (dx + dy + dz);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n;
    float *stiff = NEW(float, all), *p = NEW(float, all), *vx = NEW(float, all);
    float *a = NEW(float, 2 * n), *b = NEW(float, 2 * n), *v[9];
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        v[k] = device<float>(all);
        CHECK(cudaMemset(v[k], 0, all * sizeof(float)));
    }
    for (int k = 0; k < all; k++) {
        double x = (k % n) / (double)n - 0.4, y = (k / n % n) / (double)n - 0.5, z = (k / n / n) / (double)n - 0.6;
        stiff[k] = 0.5 + 0.3 * (z > 0) + 0.1 * number(k);
        p[k] = exp(-40 * (x * x + y * y + z * z)) + 0.1 * cos(20 * x);
    }
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < n; k++) {
            double left = (LAYER - k - (half ? 0 : 0.5)) / LAYER,
                   right = (k + (half ? 0 : 0.5) - (n - 1 - LAYER)) / LAYER;
            double depth = fmax(0.0, fmax(left, right)), damp = 0.8 * depth * depth;
            b[half * n + k] = exp(-(damp + 0.05) * 0.5);
            a[half * n + k] = damp / (damp + 0.05) * (b[half * n + k] - 1);
        }
    float *dstiff = on_device(stiff, all), *da = on_device(a, 2 * n), *db = on_device(b, 2 * n);
    fields f = {on_device(p, all), v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]};
    dim3 threads(32, 8);
    double best = fastest(args.repeats, [&] {
        velocities<<<dim3(ceiling(n - 1, 32), ceiling(n - 1, 8), n - 1), threads>>>(n, da, db, f.p, f);
        pressure<<<dim3(ceiling(n - 1, 32), ceiling(n - 2, 8), n - 2), threads>>>(n, dstiff, da, db, f.vx, f.vy, f.vz,
                                                                                  f);
    });
    to_host(p, f.p, all);
    to_host(vx, f.vx, all);
    for (int k = 0; k < all; k++)
        sum += fabsf(p[k]) + fabsf(vx[k]);
    report("cpml", best, sum);
    return 0;
}
