// A step of a wave in 192 x 192 x 192 cells, float, eighth order: blocks of 32 x 8 go along z, with nine planes' values in registers and
// a plane with its edges in shared memory.
#include "kernels.cuh"

constexpr int N = 192, R = 4, BX = 32, BY = 8, PLANES = 46;

__global__ void step(int n, float *__restrict__ next, const float *__restrict__ now, const float *__restrict__ velocity)
{
    constexpr float c[R + 1] = {-2.847222f * 3, 1.6f, -0.2f, 0.02539683f, -0.001785714f};
    __shared__ float plane[BY + 2 * R][BX + 2 * R];
    int x = R + blockIdx.x * BX + threadIdx.x, y = R + blockIdx.y * BY + threadIdx.y, z0 = R + blockIdx.z * PLANES, nn = n * n;
    bool inside = x < n - R && y < n - R;
    int xs = min(x, n - R - 1), ys = min(y, n - R - 1);
    float column[2 * R + 1];
    for (int k = 0; k < 2 * R; k++)
        column[k + 1] = now[(z0 - R + k) * nn + ys * n + xs];
    for (int z = z0; z < z0 + PLANES && z < n - R; z++) {
#pragma unroll
        for (int k = 0; k < 2 * R; k++)
            column[k] = column[k + 1];
        column[2 * R] = now[(z + R) * nn + ys * n + xs];
        __syncthreads();
        for (int py = threadIdx.y; py < BY + 2 * R; py += BY)
            for (int px = threadIdx.x; px < BX + 2 * R; px += BX) {
                int gx = min((int)(blockIdx.x * BX) + px, n - 1), gy = min((int)(blockIdx.y * BY) + py, n - 1);
                plane[py][px] = now[z * nn + gy * n + gx];
            }
        __syncthreads();
        if (inside) {
            int at = z * nn + y * n + x, tx = threadIdx.x + R, ty = threadIdx.y + R;
            float sum = c[0] * column[R];
#pragma unroll
            for (int r = 1; r <= R; r++)
                sum += c[r] * (plane[ty][tx - r] + plane[ty][tx + r] + plane[ty - r][tx] + plane[ty + r][tx] + column[R - r] + column[R + r]);
            next[at] = 2 * column[R] - next[at] + velocity[at] * sum;
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = args.shift ? N >> args.shift / 3 : N, all = n * n * n, in = n - 2 * R;
    float *a = NEW(float, all), *b = NEW(float, all), *v = NEW(float, all);
    double sum = 0;
    FILL(a, all, 1);
    FILL(b, all, 1);
    FILL(v, all, 0.1);
    float *da = on_device(a, all), *db = on_device(b, all), *dv = on_device(v, all);
    dim3 grid(ceiling(in, BX), ceiling(in, BY), ceiling(in, PLANES)), block(BX, BY);
    step<<<grid, block>>>(n, da, db, dv);
    to_host(a, da, all);
    for (int k = 0; k < all; k++)
        sum += fabsf(a[k]);
    double best = fastest(args.repeats, [&] { step<<<grid, block>>>(n, da, db, dv); });
    report("iso", best, sum);
    return 0;
}
