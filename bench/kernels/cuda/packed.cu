// Twelve steps of the power method with a symmetric matrix of 4096 rows, double, of which only the lower triangle is stored: a block takes 64 x 64
// of its elements, each read once, for its rows by way of shared memory and for its columns in registers.
#include "kernels.cuh"

constexpr int ROWS = 4096, STEPS = 12, TILE = 64, DOWN = 4, WIDE = 1024;

__global__ void __launch_bounds__(TILE *DOWN) multiply(int n, const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ y)
{
    __shared__ double product[TILE][TILE + 1], column[DOWN][TILE];
    if (blockIdx.x > blockIdx.y)
        return;
    int tx = threadIdx.x, ty = threadIdx.y, j = blockIdx.x * TILE + tx;
    double down = 0, xj = j < n ? x[j] : 0;
#pragma unroll
    for (int r = ty; r < TILE; r += DOWN) {
        int i = blockIdx.y * TILE + r;
        double v = i < n && j <= i ? a[i * (i + 1) / 2 + j] : 0;
        product[r][tx] = v * xj;
        if (j < i && i < n)
            down += v * x[i];
    }
    column[ty][tx] = down;
    __syncthreads();
    int thread = ty * TILE + tx, row = thread / DOWN, part = thread % DOWN, i = blockIdx.y * TILE + row;
    double across = 0;
#pragma unroll
    for (int k = part; k < TILE; k += DOWN)
        across += product[row][k];
    across += __shfl_down_sync(0xffffffffu, across, 2, DOWN);
    across += __shfl_down_sync(0xffffffffu, across, 1, DOWN);
    if (part == 0 && i < n)
        atomicAdd(&y[i], across);
    if (ty == 0 && j < n)
        atomicAdd(&y[j], column[0][tx] + column[1][tx] + column[2][tx] + column[3][tx]);
}

__device__ double total(double v, double *shared)
{
    for (int s = 16; s > 0; s /= 2)
        v += __shfl_down_sync(0xffffffffu, v, s);
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = v;
    __syncthreads();
    v = shared[threadIdx.x % 32];
    for (int s = 16; s > 0; s /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, s);
    return v;
}

// One block: the vector of length one, its value, and zeros for the next product.
__global__ void __launch_bounds__(WIDE) normalise(int n, double *__restrict__ x, double *__restrict__ y, double *__restrict__ lambda)
{
    __shared__ double first[32], second[32];
    double square = 0, mixed = 0;
    for (int i = threadIdx.x; i < n; i += WIDE) {
        square += y[i] * y[i];
        mixed += x[i] * y[i];
    }
    square = total(square, first);
    mixed = total(mixed, second);
    double scale = 1 / sqrt(square);
    for (int i = threadIdx.x; i < n; i += WIDE) {
        x[i] = y[i] * scale;
        y[i] = 0;
    }
    if (threadIdx.x == 0)
        *lambda = mixed;
}

__global__ void begin(int n, double *__restrict__ x, double *__restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = 1 / sqrt((double)n);
        y[i] = 0;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> (args.shift + 1) / 2, size = n * (n + 1) / 2;
    double *a = NEW(double, size), *x = NEW(double, n), lambda = 0, sum = 0;
    for (int i = 0, k = 0; i < n; i++)
        for (int j = 0; j <= i; j++, k++)
            a[k] = (i == j ? 5 : 0) + 30.0 / (30 + i - j) + 0.01 * number(k);
    double *da = on_device(a, size), *dx = device<double>(n), *dy = device<double>(n), *dlambda = device<double>(1);
    dim3 grid(ceiling(n, TILE), ceiling(n, TILE)), block(TILE, DOWN);
    double best = fastest(args.repeats, [&] {
        begin<<<ceiling(n, 256), 256>>>(n, dx, dy);
        for (int step = 0; step < STEPS; step++) {
            multiply<<<grid, block>>>(n, da, dx, dy);
            normalise<<<1, WIDE>>>(n, dx, dy, dlambda);
        }
    });
    to_host(x, dx, n);
    to_host(&lambda, dlambda, 1);
    for (int i = 0; i < n; i++)
        sum += (i % 7 + 1) * x[i];
    report("packed", best, sum + lambda);
    return 0;
}
