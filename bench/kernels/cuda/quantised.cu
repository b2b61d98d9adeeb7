// A matrix of 16384 x 8192 signed bytes times a vector of signed bytes, with a scale for each 32 of both: a warp a row, 16 bytes a lane,
// products of four bytes at a time.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int ROWS = 1 << 14, COLUMNS = 1 << 13, GROUP = 32, GROUPS = COLUMNS / GROUP;

__global__ void multiply(int rows, const int4 *__restrict__ w, const float *__restrict__ scale, const int4 *__restrict__ x,
                         const float *__restrict__ xscale, float *__restrict__ y)
{
    int i = blockIdx.x * blockDim.y + threadIdx.y;
    if (i >= rows)
        return;
    float sum = 0;
#pragma unroll 4
    for (int k = threadIdx.x; k < COLUMNS / 16; k += 32) {
        int4 a = w[(size_t)i * (COLUMNS / 16) + k], b = x[k];
        int dot = __dp4a(a.x, b.x, __dp4a(a.y, b.y, __dp4a(a.z, b.z, __dp4a(a.w, b.w, 0))));
        sum += scale[i * GROUPS + k / 2] * xscale[k / 2] * dot;
    }
    sum = warp_reduce(sum, [](float p, float q) { return p + q; });
    if (threadIdx.x == 0)
        y[i] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, all = rows * COLUMNS;
    signed char *w = NEW(signed char, all), *x = NEW(signed char, COLUMNS);
    float *scale = NEW(float, rows * GROUPS), *xscale = NEW(float, GROUPS), *y = NEW(float, rows);
    double sum = 0;
    for (int k = 0; k < all; k++)
        w[k] = (int)(mix(k) % 255) - 127;
    for (int k = 0; k < COLUMNS; k++)
        x[k] = (int)(mix(k + 3) % 255) - 127;
    FILL(scale, rows * GROUPS, 0.01f);
    FILL(xscale, GROUPS, 0.01f);
    int4 *dw = reinterpret_cast<int4 *>(on_device(w, all)), *dx = reinterpret_cast<int4 *>(on_device(x, COLUMNS));
    float *dscale = on_device(scale, rows * GROUPS), *dxscale = on_device(xscale, GROUPS), *dy = device<float>(rows);
    double best = fastest(args.repeats, [&] { multiply<<<ceiling(rows, 4), dim3(32, 4)>>>(rows, dw, dscale, dx, dxscale, dy); });
    to_host(y, dy, rows);
    for (int k = 0; k < rows; k++)
        sum += fabs(y[k]);
    report("quantised", best, sum);
    return 0;
}
