// A layer of a convolutional network: 64 channels of 64 x 64 from 32 channels by 3 x 3 weights, with bias and ReLU, 4 images, float; a
// thread for each output, weights of an output channel in shared memory.
#include "kernels.cuh"

constexpr int INPUTS = 32, OUTPUTS = 64, SIZE = 64, WIDE = SIZE + 2;

__global__ void layer(const float *__restrict__ in, const float *__restrict__ weights, const float *__restrict__ bias,
                      float *__restrict__ out)
{
    __shared__ float w[INPUTS * 9];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int o = blockIdx.z % OUTPUTS, b = blockIdx.z / OUTPUTS;
    for (int k = threadIdx.y * blockDim.x + threadIdx.x; k < INPUTS * 9; k += blockDim.x * blockDim.y)
        w[k] = weights[o * INPUTS * 9 + k];
    __syncthreads();
    float sum = bias[o];
    for (int c = 0; c < INPUTS; c++)
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++)
                sum += w[(c * 3 + dy) * 3 + dx] * in[((b * INPUTS + c) * WIDE + y + dy) * WIDE + x + dx];
    out[((b * OUTPUTS + o) * SIZE + y) * SIZE + x] = fmaxf(sum, 0);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = 4, taken = images * INPUTS * WIDE * WIDE, given = images * OUTPUTS * SIZE * SIZE;
    float *in = NEW(float, taken), *weights = NEW(float, OUTPUTS * INPUTS * 9), bias[OUTPUTS], *out = NEW(float, given);
    double sum = 0;
    if (args.shift)
        images = 1;
    FILL(in, taken, 1);
    for (int k = 0; k < OUTPUTS * INPUTS * 9; k++)
        weights[k] = number(k) - 0.5;
    FILL(bias, OUTPUTS, 1);
    float *din = on_device(in, taken), *dweights = on_device(weights, OUTPUTS * INPUTS * 9);
    float *dbias = on_device(bias, OUTPUTS), *dout = device<float>(given);
    dim3 block(32, 8), grid(SIZE / 32, SIZE / 8, images * OUTPUTS);
    double best = fastest(args.repeats, [&] { layer<<<grid, block>>>(din, dweights, dbias, dout); });
    int done = images * OUTPUTS * SIZE * SIZE;
    to_host(out, dout, done);
    for (int k = 0; k < done; k++)
        sum += out[k] * (1 + k % 7);
    report("layer", best, sum);
    return 0;
}
