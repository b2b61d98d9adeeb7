// The lower triangle of C = alpha (A B' + B A') + beta C, 512 x 512 doubles; a thread an element, tiles of 16 x 16 in shared memory.
#include "kernels.cuh"

constexpr int TILE = 16;

__global__ void syr2k(int n, int m, double alpha, double beta, double *__restrict__ c, const double *__restrict__ a, const double *__restrict__ b)
{
    __shared__ double aj[TILE][TILE + 1], bj[TILE][TILE + 1], ai[TILE][TILE + 1], bi[TILE][TILE + 1];
    if (blockIdx.x > blockIdx.y)
        return;
    int x = threadIdx.x, y = threadIdx.y, j0 = blockIdx.x * TILE, i0 = blockIdx.y * TILE;
    double sum = 0;
    for (int k = 0; k < m; k += TILE) {
        aj[y][x] = a[(j0 + y) * m + k + x];
        bj[y][x] = b[(j0 + y) * m + k + x];
        ai[y][x] = a[(i0 + y) * m + k + x];
        bi[y][x] = b[(i0 + y) * m + k + x];
        __syncthreads();
#pragma unroll
        for (int l = 0; l < TILE; l++)
            sum += aj[x][l] * bi[y][l] + bj[x][l] * ai[y][l];
        __syncthreads();
    }
    int i = i0 + y, j = j0 + x;
    if (j <= i)
        c[i * n + j] = beta * c[i * n + j] + alpha * sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 512 >> (args.shift + 1) / 2;
    double *c = NEW(double, n * n), *a = NEW(double, n * n), *b = NEW(double, n * n), sum = 0;
    FILL(c, n * n, 1);
    FILL(a, n * n, 1);
    FILL(b, n * n, 2);
    double *dc = on_device(c, n * n), *da = on_device(a, n * n), *db = on_device(b, n * n);
    dim3 block(TILE, TILE), grid(n / TILE, n / TILE);
    double best = fastest(args.repeats, [&] { syr2k<<<grid, block>>>(n, n, 0.01, 0.5, dc, da, db); });
    to_host(c, dc, n * n);
    SUM(sum, c, n * n);
    report("syr2k", best, sum);
    return 0;
}
