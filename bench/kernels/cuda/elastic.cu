// A step of elastic waves in 160^3 cells of a staggered grid, float, fourth order; a thread a cell, neighbours through the caches.
#include "kernels.cuh"

constexpr int SIDE = 160;
constexpr float C0 = 1.125f, C1 = -1 / 24.0f, STEP = 0.2f;

__device__ float after(const float *__restrict__ f, int s) { return C0 * (f[s] - f[0]) + C1 * (f[2 * s] - f[-s]); }
__device__ float before(const float *__restrict__ f, int s) { return C0 * (f[0] - f[-s]) + C1 * (f[s] - f[-2 * s]); }

__global__ void velocities(int n, int deep, const float *__restrict__ light, float *__restrict__ vx, float *__restrict__ vy,
                           float *__restrict__ vz, const float *__restrict__ xx, const float *__restrict__ yy,
                           const float *__restrict__ zz, const float *__restrict__ xy, const float *__restrict__ xz,
                           const float *__restrict__ yz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y + 2, k = blockIdx.z + 2;
    if (i < 2 || i >= n - 2 || j >= n - 2)
        return;
    int row = n, slice = n * n, at = k * slice + j * row + i;
    float b = STEP * light[at];
    vx[at] += b * (after(xx + at, 1) + before(xy + at, row) + before(xz + at, slice));
    vy[at] += b * (before(xy + at, 1) + after(yy + at, row) + before(yz + at, slice));
    vz[at] += b * (before(xz + at, 1) + before(yz + at, row) + after(zz + at, slice));
}

__global__ void stresses(int n, int deep, const float *__restrict__ lambda, const float *__restrict__ mu, const float *__restrict__ vx,
                         const float *__restrict__ vy, const float *__restrict__ vz, float *__restrict__ xx, float *__restrict__ yy,
                         float *__restrict__ zz, float *__restrict__ xy, float *__restrict__ xz, float *__restrict__ yz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y + 2, k = blockIdx.z + 2;
    if (i < 2 || i >= n - 2 || j >= n - 2)
        return;
    int row = n, slice = n * n, at = k * slice + j * row + i;
    float l = STEP * lambda[at], m = STEP * mu[at];
    float dx = before(vx + at, 1), dy = before(vy + at, row), dz = before(vz + at, slice), wider = l * (dx + dy + dz);
    xx[at] += wider + 2 * m * dx;
    yy[at] += wider + 2 * m * dy;
    zz[at] += wider + 2 * m * dz;
    xy[at] += m * (after(vx + at, row) + after(vy + at, 1));
    xz[at] += m * (after(vx + at, slice) + after(vz + at, 1));
    yz[at] += m * (after(vy + at, slice) + after(vz + at, row));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE, deep = (SIDE >> args.shift) + 4, all = n * n * deep;
    float *f[12], *d[12];
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        f[k] = NEW(float, all);
        for (int c = 0; c < all; c++)
            f[k][c] = k < 3 ? 0 : number(c + k);
        d[k] = on_device(f[k], all);
    }
    dim3 block(32, 8), grid(ceiling(n - 2, 32), ceiling(n - 4, 8), deep - 4);
    double best = fastest(args.repeats, [&] {
        velocities<<<grid, block>>>(n, deep, d[9], d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8]);
        stresses<<<grid, block>>>(n, deep, d[10], d[11], d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8]);
    });
    for (int k = 0; k < 7; k++)
        to_host(f[k], d[k], all);
    for (int c = 0; c < all; c++)
        sum += fabs(f[0][c]) + fabs(f[1][c]) + fabs(f[2][c]) + fabs(f[3][c]) + fabs(f[6][c]);
    report("elastic", best, sum);
    return 0;
}
