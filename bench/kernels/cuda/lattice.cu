// The potential of 8192 charges at the points of a lattice of 64 x 64 x 32, of those charges only that are nearer than a cutoff; a thread a point.
#include "kernels.cuh"

constexpr int SIDE = 64, DEPTH = 32, CELLS = 16, LEVELS = 8, ROOM = 8;

__global__ void potential(int nx, int ny, int nz, const float4 *__restrict__ in, const int *__restrict__ count, float *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
    if (i >= nx || j >= ny || k >= nz)
        return;
    float sum = 0;
    for (int z = max(k / 4 - 2, 0); z <= min(k / 4 + 2, LEVELS - 1); z++)
        for (int y = max(j / 4 - 2, 0); y <= min(j / 4 + 2, CELLS - 1); y++)
            for (int x = max(i / 4 - 2, 0); x <= min(i / 4 + 2, CELLS - 1); x++) {
                int cell = (z * CELLS + y) * CELLS + x, n = count[cell];
                for (int a = 0; a < n; a++) {
                    float4 c = in[cell * ROOM + a];
                    float rx = c.x - i, ry = c.y - j, rz = c.z - k, r2 = rx * rx + ry * ry + rz * rz;
                    if (r2 < 36) {
                        float s = 1 - r2 * (1 / 36.0f);
                        sum += c.w * rsqrtf(r2) * s * s;
                    }
                }
            }
    out[(k * ny + j) * nx + i] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int cells = CELLS * CELLS * LEVELS, depth = DEPTH >> args.shift > 0 ? DEPTH >> args.shift : 1, points = SIDE * SIDE * depth;
    float4 *in = NEW(float4, cells * ROOM);
    int *count = NEW(int, cells);
    float *out = NEW(float, points);
    double sum = 0;
    for (int c = 0; c < cells; c++) {
        count[c] = 1 + mix(c) % ROOM;
        for (int a = 0; a < ROOM; a++) {
            unsigned k = (c * ROOM + a) * 4;
            in[c * ROOM + a] = make_float4(c % CELLS * 4 + 4 * number(k) + 0.003f, c / CELLS % CELLS * 4 + 4 * number(k + 1) + 0.003f,
                                           c / CELLS / CELLS * 4 + 4 * number(k + 2) + 0.003f, 1 + number(k + 3));
        }
    }
    float4 *din = on_device(in, cells * ROOM);
    int *dcount = on_device(count, cells);
    float *dout = device<float>(points);
    dim3 block(32, 4), grid(ceiling(SIDE, 32), ceiling(SIDE, 4), depth);
    double best = fastest(args.repeats, [&] { potential<<<grid, block>>>(SIDE, SIDE, depth, din, dcount, dout); });
    to_host(out, dout, points);
    SUM(sum, out, points);
    report("lattice", best, sum);
    return 0;
}
