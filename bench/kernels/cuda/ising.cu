// A sweep of an Ising model on a lattice of 4096 x 4096 spins (signed char), one colour of the board after the other, with a
// generator of random numbers that hashes place and sweep; a thread for each spin.
#include "kernels.cuh"

__global__ void sweep(int n, int step, const float *__restrict__ chances, const signed char *__restrict__ other,
                      signed char *__restrict__ spins, int colour)
{
    int half = n / 2, j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= half)
        return;
    int above = i == 0 ? n - 1 : i - 1, below = i == n - 1 ? 0 : i + 1;
    int beside = (i + colour) % 2 ? (j + 1 == half ? 0 : j + 1) : (j == 0 ? half - 1 : j - 1);
    int sum = other[above * half + j] + other[i * half + j] + other[below * half + j] + other[i * half + beside];
    int spin = spins[i * half + j];
    float chance = chances[(sum + 4) / 2 + (spin > 0 ? 5 : 0)];
    float random = mix((i * half + j) * 2 + colour + step * 7919) % 16777216 / 16777216.0f;
    if (random < chance)
        spins[i * half + j] = -spin;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> (args.shift + 1) / 2, half = n / 2, step = 0;
    signed char *black = NEW(signed char, n *half), *white = NEW(signed char, n *half);
    float chances[10];
    double sum = 0;
    for (int k = 0; k < n * half; k++)
        black[k] = white[k] = 1;
    for (int k = 0; k < 10; k++)
        chances[k] = (float)exp(-2.0 * (k < 5 ? -1 : 1) * (2 * (k % 5) - 4) * 0.42);
    signed char *dblack = on_device(black, n * half), *dwhite = on_device(white, n * half);
    float *dchances = on_device(chances, 10);
    dim3 block(32, 8), grid(ceiling(half, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] {
        sweep<<<grid, block>>>(n, step, dchances, dwhite, dblack, 0);
        sweep<<<grid, block>>>(n, step++, dchances, dblack, dwhite, 1);
    });
    to_host(black, dblack, n * half);
    to_host(white, dwhite, n * half);
    for (int k = 0; k < n * half; k++)
        sum += black[k] * (1 + k % 5) + white[k] * (1 + k % 3);
    report("ising", best, sum);
    return 0;
}
