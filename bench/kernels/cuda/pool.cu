// The largest of 3 x 3 neighbours at every second point, with a border of one, and where it stands: 2048 channels of 112 x 112 floats; a thread
// a result, a channel's results in the blocks of a column of the grid.
#include "kernels.cuh"
#include <cfloat>

constexpr int SIDE = 112, HALF = 56, KERNEL = 3, STRIDE = 2, PAD = 1;

__global__ void pool(const float *__restrict__ in, float *__restrict__ out, int *__restrict__ where)
{
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= HALF * HALF)
        return;
    int oy = o / HALF, ox = o % HALF, at = -1;
    const float *slice = in + (size_t)blockIdx.y * SIDE * SIDE;
    float most = -FLT_MAX;
#pragma unroll
    for (int ky = 0; ky < KERNEL; ky++)
#pragma unroll
        for (int kx = 0; kx < KERNEL; kx++) {
            int y = oy * STRIDE - PAD + ky, x = ox * STRIDE - PAD + kx;
            if (y < 0 || y >= SIDE || x < 0 || x >= SIDE)
                continue;
            float v = slice[y * SIDE + x];
            if (v > most) {
                most = v;
                at = y * SIDE + x;
            }
        }
    out[blockIdx.y * HALF * HALF + o] = most;
    where[blockIdx.y * HALF * HALF + o] = at;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int channels = 2048 >> args.shift, all = channels * SIDE * SIDE, outputs = channels * HALF * HALF, *where = NEW(int, outputs);
    float *in = NEW(float, all), *out = NEW(float, outputs);
    double sum = 0;
    for (int k = 0; k < all; k++)
        in[k] = number(k) - 0.5f;
    float *din = on_device(in, all), *dout = device<float>(outputs);
    int *dwhere = device<int>(outputs);
    dim3 grid(ceiling(HALF * HALF, 256), channels);
    double best = fastest(args.repeats, [&] { pool<<<grid, 256>>>(din, dout, dwhere); });
    to_host(out, dout, outputs);
    to_host(where, dwhere, outputs);
    for (int k = 0; k < outputs; k++)
        sum += out[k] + 1e-4 * where[k];
    report("pool", best, sum);
    return 0;
}
