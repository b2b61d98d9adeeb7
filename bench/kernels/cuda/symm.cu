// A symmetric matrix of 1024 x 1024 doubles, of which the lower triangle is stored, times another: tiles of 32 x 32 in shared memory, four results a thread.
#include "kernels.cuh"

enum { SIDE = 1024 };
#define ALPHA 1.5
#define BETA 1.2

constexpr int TILE = 32, ROWS = 8, EACH = TILE / ROWS;

__global__ void symm(int n, const double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c, double *__restrict__ d)
{
    __shared__ double as[TILE][TILE + 1], bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, ib = blockIdx.y, j = blockIdx.x * TILE + x;
    double sum[EACH] = {0};
    for (int kb = 0; kb < n / TILE; kb++) {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            int r = y + e * ROWS;
            if (kb < ib)
                as[r][x] = a[(ib * TILE + r) * n + kb * TILE + x];
            else if (kb > ib)
                as[x][r] = a[(kb * TILE + r) * n + ib * TILE + x];
            else
                as[r][x] = a[(ib * TILE + max(r, x)) * n + ib * TILE + min(r, x)];
            bs[r][x] = b[(kb * TILE + r) * n + j];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            double v = bs[k][x];
#pragma unroll
            for (int e = 0; e < EACH; e++)
                sum[e] += as[y + e * ROWS][k] * v;
        }
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        int at = (ib * TILE + y + e * ROWS) * n + j;
        d[at] = ALPHA * sum[e] + BETA * c[at];
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n;
    double *a = NEW(double, all), *b = NEW(double, all), *c = NEW(double, all), *d = NEW(double, all), sum = 0;
    FILL(a, all, 1);
    FILL(b, all, 2);
    FILL(c, all, 3);
    double *da = on_device(a, all), *db = on_device(b, all), *dc = on_device(c, all), *dd = device<double>(all);
    dim3 grid(n / TILE, n / TILE), block(TILE, ROWS);
    double best = fastest(args.repeats, [&] { symm<<<grid, block>>>(n, da, db, dc, dd); });
    to_host(d, dd, all);
    SUM(sum, d, all);
    report("symm", best, sum);
    return 0;
}
