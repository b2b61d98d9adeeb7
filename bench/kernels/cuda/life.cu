// A generation of the game of life on a torus of 4096 x 4096 cells, a byte each; a thread a cell.
#include "kernels.cuh"

__global__ void generation(int n, const unsigned char *__restrict__ old, unsigned char *__restrict__ next)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    int up = i == 0 ? n - 1 : i - 1, down = i == n - 1 ? 0 : i + 1, left = j == 0 ? n - 1 : j - 1,
        right = j == n - 1 ? 0 : j + 1;
    int around = old[up * n + left] + old[up * n + j] + old[up * n + right] + old[i * n + left] + old[i * n + right] +
                 old[down * n + left] + old[down * n + j] + old[down * n + right];
    next[i * n + j] = around == 3 || (around == 2 && old[i * n + j]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> (args.shift + 1) / 2;
    unsigned char *old = NEW(unsigned char, n * n), *next = NEW(unsigned char, n * n);
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        old[k] = mix(k) % 3 == 0;
    unsigned char *dold = on_device(old, n * n), *dnext = device<unsigned char>(n * n);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] { generation<<<grid, block>>>(n, dold, dnext); });
    to_host(next, dnext, n * n);
    for (int k = 0; k < n * n; k++)
        sum += next[k] * (1 + k % 7);
    report("life", best, sum);
    return 0;
}
