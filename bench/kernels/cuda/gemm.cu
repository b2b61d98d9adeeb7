// C = alpha A B + beta C, double, 1000 x 1100 with 1200 columns in A; a thread an element, tiles of 16 x 16 in shared memory.
#include "kernels.cuh"

constexpr int TILE = 16;

__global__ void gemm(int ni, int nj, int nk, double alpha, double beta, const double *__restrict__ a, const double *__restrict__ b,
                     double *__restrict__ c)
{
    __shared__ double as[TILE][TILE], bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * TILE + x, i = blockIdx.y * TILE + y;
    double sum = 0;
    for (int k = 0; k < nk; k += TILE) {
        as[y][x] = i < ni && k + x < nk ? a[i * nk + k + x] : 0;
        bs[y][x] = k + y < nk && j < nj ? b[(k + y) * nj + j] : 0;
        __syncthreads();
#pragma unroll
        for (int l = 0; l < TILE; l++)
            sum += as[y][l] * bs[l][x];
        __syncthreads();
    }
    if (i < ni && j < nj)
        c[i * nj + j] = beta * c[i * nj + j] + alpha * sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int ni = 1000 >> args.shift / 2, nj = 1100 >> (args.shift + 1) / 2, nk = 1200 >> (args.shift + 1) / 2;
    double *a = NEW(double, ni * nk), *b = NEW(double, nk * nj), *c = NEW(double, ni * nj), sum = 0;
    FILL(a, ni * nk, 1);
    FILL(b, nk * nj, 2);
    FILL(c, ni * nj, 1);
    double *da = on_device(a, ni * nk), *db = on_device(b, nk * nj), *dc = on_device(c, ni * nj);
    dim3 block(TILE, TILE), grid(ceiling(nj, TILE), ceiling(ni, TILE));
    double best = fastest(args.repeats, [&] { gemm<<<grid, block>>>(ni, nj, nk, 0.01, 0.5, da, db, dc); });
    to_host(c, dc, ni * nj);
    SUM(sum, c, ni * nj);
    report("gemm", best, sum);
    return 0;
}
