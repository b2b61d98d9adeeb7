// Product of a lower triangular matrix with another, 1024 x 1024 doubles, tiles of 16 x 16 in shared memory.
#include "kernels.cuh"

constexpr int SIDE = 1024, TILE = 16;

__global__ void product(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c)
{
    __shared__ double left[TILE][TILE], right[TILE][TILE];
    int j = blockIdx.x * TILE + threadIdx.x, i = blockIdx.y * TILE + threadIdx.y;
    double s = 0;
    for (int start = 0; start <= blockIdx.y * TILE; start += TILE) {
        int k = start + threadIdx.x;
        left[threadIdx.y][threadIdx.x] = k <= i ? a[i * SIDE + k] : 0;
        right[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * SIDE + j];
        __syncthreads();
        for (int t = 0; t < TILE; t++)
            s += left[threadIdx.y][t] * right[t][threadIdx.x];
        __syncthreads();
    }
    c[i * SIDE + j] = 1.5 * s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE, n = side >> args.shift / 2;
    double *a = NEW(double, side * side), *b = NEW(double, side * side), *c = NEW(double, side * side), sum = 0;
    FILL(a, side * side, 1);
    for (int k = 0; k < side * side; k++)
        b[k] = number(k + 3);
    double *da = on_device(a, side * side), *db = on_device(b, side * side), *dc = device<double>(side * side);
    double best = fastest(args.repeats, [&] {
        product<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc);
    });
    to_host(c, dc, side * side);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += c[i * SIDE + j] * (1 + (i + j) % 7);
    report("trmm", best, sum);
    return 0;
}
