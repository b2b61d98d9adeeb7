// The five dimensions of a tensor of 32 x 40 x 12 x 28 x 36 doubles in another order: a block for each a, c and d turns the plane of b and e in shared memory.
#include "kernels.cuh"

enum { A = 32, B = 40, C = 12, D = 28, E = 36 };
#define ALPHA 1.5

constexpr int THREADS = 256;

__global__ void __launch_bounds__(THREADS) permute(int n, const double *__restrict__ from, double *__restrict__ to)
{
    __shared__ double plane[B][E + 1];
    int d = blockIdx.x, c = blockIdx.y, a = blockIdx.z;
    for (int k = threadIdx.x; k < B * E; k += THREADS) {
        int b = k / E, e = k % E;
        plane[b][e] = from[(((a * B + b) * C + c) * D + d) * E + e];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < B * E; k += THREADS) {
        int e = k / B, b = k % B;
        to[(((e * C + c) * n + a) * D + d) * B + b] = ALPHA * plane[b][e];
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = A >> args.shift, all = n * B * C * D * E;
    double *from = NEW(double, all), *to = NEW(double, all), sum = 0;
    FILL(from, all, 1);
    double *dfrom = on_device(from, all), *dto = device<double>(all);
    double best = fastest(args.repeats, [&] { permute<<<dim3(D, C, n), THREADS>>>(n, dfrom, dto); });
    to_host(to, dto, all);
    for (int k = 0; k < all; k++)
        sum += to[k] * (1 + k % 11);
    report("permute", best, sum);
    return 0;
}
