// The state of 20 quantum bits, float2: on each bit a gate of Hadamard and then a turn that the next bit controls; a thread a pair or an
// amplitude.
#include "kernels.cuh"

__global__ void hadamard(int half, int q, float2 *state)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= half)
        return;
    int low = ((k >> q) << (q + 1)) | (k & ((1 << q) - 1)), high = low | 1 << q;
    float2 a = state[low], b = state[high];
    state[low] = make_float2((a.x + b.x) * 0.70710678f, (a.y + b.y) * 0.70710678f);
    state[high] = make_float2((a.x - b.x) * 0.70710678f, (a.y - b.y) * 0.70710678f);
}

__global__ void turn(int n, int mask, float c, float s, float2 *state)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n && (k & mask) == mask) {
        float2 a = state[k];
        state[k] = make_float2(a.x * c - a.y * s, a.x * s + a.y * c);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int bits = 20 - args.shift, n = 1 << bits;
    float *state = NEW(float, 2 * n);
    double sum = 0;
    for (long k = 0; k < 2 * n; k++)
        state[k] = number(k);
    float2 *d = (float2 *)on_device(state, 2 * n);
    double best = fastest(args.repeats, [&] {
        for (int q = 0; q < bits; q++) {
            hadamard<<<ceiling(n / 2, 256), 256>>>(n / 2, q, d);
            turn<<<ceiling(n, 256), 256>>>(n, 1 << q | 1 << (q + 1) % bits, cosf(1.0f / (q + 1)), sinf(1.0f / (q + 1)), d);
        }
    });
    to_host(state, (float *)d, 2 * n);
    for (long k = 0; k < 2 * n; k++)
        sum += fabsf(state[k]);
    report("qubits", best, sum);
    return 0;
}
