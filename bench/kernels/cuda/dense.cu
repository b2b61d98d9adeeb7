// A layer of 1000 outputs of a network for 2048 samples of 784 numbers, float; a thread an element, tiles of 16 x 16 in shared memory.
#include "kernels.cuh"

constexpr int TILE = 16;

__global__ void layer(int samples, int inputs, int outputs, const float *__restrict__ x, const float *__restrict__ w,
                      const float *__restrict__ bias, float *__restrict__ y)
{
    __shared__ float xs[TILE][TILE], ws[TILE][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y, o0 = blockIdx.x * TILE, s0 = blockIdx.y * TILE;
    float sum = 0;
    for (int k = 0; k < inputs; k += TILE) {
        xs[ty][tx] = s0 + ty < samples && k + tx < inputs ? x[(s0 + ty) * inputs + k + tx] : 0;
        ws[ty][tx] = o0 + ty < outputs && k + tx < inputs ? w[(o0 + ty) * inputs + k + tx] : 0;
        __syncthreads();
#pragma unroll
        for (int l = 0; l < TILE; l++)
            sum += xs[ty][l] * ws[tx][l];
        __syncthreads();
    }
    int s = s0 + ty, o = o0 + tx;
    if (s < samples && o < outputs)
        y[s * outputs + o] = fmaxf(sum + bias[o], 0.f);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int samples = 2048 >> (args.shift + 1) / 2, inputs = 784 >> args.shift / 4, outputs = 1000 >> args.shift / 2;
    float *x = NEW(float, samples * inputs), *w = NEW(float, outputs * inputs), *bias = NEW(float, outputs), *y = NEW(float, samples * outputs);
    double sum = 0;
    FILL(x, samples * inputs, 1);
    for (int k = 0; k < outputs * inputs; k++)
        w[k] = (float)(number(k + 5) - 0.5);
    FILL(bias, outputs, 1);
    float *dx = on_device(x, samples * inputs), *dw = on_device(w, outputs * inputs), *dbias = on_device(bias, outputs),
          *dy = device<float>(samples * outputs);
    dim3 block(TILE, TILE), grid(ceiling(outputs, TILE), ceiling(samples, TILE));
    double best = fastest(args.repeats, [&] { layer<<<grid, block>>>(samples, inputs, outputs, dx, dw, dbias, dy); });
    to_host(y, dy, samples * outputs);
    SUM(sum, y, samples * outputs);
    report("dense", best, sum);
    return 0;
}
