// A recurrent layer of a network (LSTM), float: 128 sequences of 16 steps with 256 units. A launch for each step: blocks of 8 units x 32 sequences,
// a thread for the four gates of one, with parts of the matrix and of what the units gave last in shared memory.
#include "kernels.cuh"

constexpr int BATCH = 128, STEPS = 16, UNITS = 256, GATES = 4 * UNITS, ACROSS = 8, DOWN = 32, DEEP = 64, THREADS = ACROSS * DOWN;

__device__ float sigmoid(float x) { return 1 / (1 + expf(-x)); }

// The four gates of a unit stand together in `weight` and `bias`.
__global__ void __launch_bounds__(THREADS) step(int n, const float *__restrict__ input, const float4 *__restrict__ weight,
                                                const float4 *__restrict__ bias, float *__restrict__ cell, const float *__restrict__ hidden,
                                                float *__restrict__ next)
{
    __shared__ float4 w[DEEP][ACROSS];
    __shared__ float h[DOWN][DEEP + 1];
    int tx = threadIdx.x % ACROSS, ty = threadIdx.x / ACROSS, j = blockIdx.x * ACROSS + tx, b0 = blockIdx.y * DOWN, b = b0 + ty;
    float4 z = bias[j];
    for (int k0 = 0; k0 < UNITS; k0 += DEEP) {
        for (int i = threadIdx.x; i < DEEP * ACROSS; i += THREADS)
            w[i / ACROSS][i % ACROSS] = weight[(k0 + i / ACROSS) * UNITS + blockIdx.x * ACROSS + i % ACROSS];
        for (int i = threadIdx.x; i < DOWN * DEEP; i += THREADS)
            h[i / DEEP][i % DEEP] = b0 + i / DEEP < n ? hidden[(b0 + i / DEEP) * UNITS + k0 + i % DEEP] : 0;
        __syncthreads();
#pragma unroll 16
        for (int k = 0; k < DEEP; k++) {
            float a = h[ty][k];
            float4 v = w[k][tx];
            z.x += a * v.x;
            z.y += a * v.y;
            z.z += a * v.z;
            z.w += a * v.w;
        }
        __syncthreads();
    }
    if (b >= n)
        return;
    const float *x = input + b * GATES + j;
    float c = sigmoid(z.y + x[UNITS]) * cell[b * UNITS + j] + sigmoid(z.x + x[0]) * tanhf(z.z + x[2 * UNITS]);
    cell[b * UNITS + j] = c;
    next[b * UNITS + j] = sigmoid(z.w + x[3 * UNITS]) * tanhf(c);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BATCH >> args.shift > 0 ? BATCH >> args.shift : 1;
    float *input = NEW(float, STEPS * n * GATES), *weight = NEW(float, UNITS * GATES), *bias = NEW(float, GATES);
    float *cell = NEW(float, n * UNITS), *hidden = NEW(float, n * UNITS);
    float4 *weights = NEW(float4, UNITS * UNITS), *biases = NEW(float4, UNITS);
    double sum = 0;
    for (int i = 0; i < STEPS * n * GATES; i++)
        input[i] = 2 * number(i) - 1;
    for (int i = 0; i < UNITS * GATES; i++)
        weight[i] = 0.2 * number(i + 54321) - 0.1;
    for (int j = 0; j < GATES; j++)
        bias[j] = 0.5 * number(j + 77) + (j / UNITS == 1);
    for (int j = 0; j < UNITS; j++) {
        for (int k = 0; k < UNITS; k++) {
            const float *w = weight + k * GATES + j;
            weights[k * UNITS + j] = make_float4(w[0], w[UNITS], w[2 * UNITS], w[3 * UNITS]);
        }
        biases[j] = make_float4(bias[j], bias[UNITS + j], bias[2 * UNITS + j], bias[3 * UNITS + j]);
    }
    float *dinput = on_device(input, STEPS * n * GATES), *dcell = device<float>(n * UNITS);
    float *dhidden[2] = {device<float>(n * UNITS), device<float>(n * UNITS)};
    float4 *dweights = on_device(weights, UNITS * UNITS), *dbiases = on_device(biases, UNITS);
    dim3 grid(UNITS / ACROSS, ceiling(n, DOWN));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dcell, 0, n * UNITS * sizeof(float)));
        CHECK(cudaMemsetAsync(dhidden[0], 0, n * UNITS * sizeof(float)));
        for (int t = 0; t < STEPS; t++)
            step<<<grid, THREADS>>>(n, dinput + t * n * GATES, dweights, dbiases, dcell, dhidden[t % 2], dhidden[1 - t % 2]);
    });
    to_host(cell, dcell, n * UNITS);
    to_host(hidden, dhidden[STEPS % 2], n * UNITS);
    for (int i = 0; i < n * UNITS; i++)
        sum += fabs(cell[i]) + fabs(hidden[i]);
    report("recurrent", best, sum);
    return 0;
}
