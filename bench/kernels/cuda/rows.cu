// Heat in a plate of 2048 x 2048 doubles whose rows are allocated one by one: a step and back, and the largest change; a thread a point.
#include "kernels.cuh"

__global__ void heat(int n, double **now, double **next, unsigned long long *change)
{
    int j = 1 + blockIdx.x * blockDim.x + threadIdx.x, i = 1 + blockIdx.y * blockDim.y + threadIdx.y;
    __shared__ double most[8];
    double mine = 0;
    if (i < n - 1 && j < n - 1) {
        double x = now[i][j], y = x + 0.2 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4 * x);
        next[i][j] = y;
        mine = fabs(y - x);
    }
    for (int d = 16; d > 0; d /= 2)
        mine = fmax(mine, __shfl_down_sync(0xffffffff, mine, d));
    if (threadIdx.x == 0)
        most[threadIdx.y] = mine;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        for (int k = 1; k < 8; k++)
            mine = fmax(mine, most[k]);
        atomicMax(change, (unsigned long long)__double_as_longlong(mine));
    }
}

static double **plate(int n, double ***on_host)
{
    double *row = NEW(double, n);
    *on_host = NEW(double *, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            row[j] = number(i * n + j);
        (*on_host)[i] = on_device(row, n);
    }
    free(row);
    return on_device(*on_host, n);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> (args.shift + 1) / 2;
    double **ra, **rb, **a = plate(n, &ra), **b = plate(n, &rb), *row = NEW(double, n), sum = 0, most = 0;
    unsigned long long *change = device<unsigned long long>(1);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] {
        for (int k = 0; k < 2; k++) {
            CHECK(cudaMemsetAsync(change, 0, sizeof *change));
            heat<<<grid, block>>>(n, k ? b : a, k ? a : b, change);
            CHECK(cudaMemcpy(&most, change, sizeof most, cudaMemcpyDeviceToHost));
        }
    });
    for (int i = 0; i < n; i++) {
        to_host(row, ra[i], n);
        SUM(sum, row, n);
    }
    report("rows", best, sum + most);
    return 0;
}
