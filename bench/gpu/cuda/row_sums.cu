// Sums of rows, double, 8192 planes of 16 rows of 1024: a block for each plane, a warp for each row.
#include "common.cuh"
#include "reduce.cuh"

#define ROWS 16
#define COLUMNS 1024

__global__ void row_sums(const double *__restrict__ a, double *__restrict__ sum)
{
    for (int r = threadIdx.y; r < ROWS; r += blockDim.y) {
        int row = blockIdx.x * ROWS + r;
        double s = 0;
        for (int c = threadIdx.x; c < COLUMNS; c += 32)
            s += a[row * COLUMNS + c];
        s = warp_reduce(s, [](double p, double q) { return p + q; });
        if (threadIdx.x == 0)
            sum[row] = s;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int planes = 8192 >> args.shift, rows = planes * ROWS, n = rows * COLUMNS;
    double *a = device<double>(n), *sum = device<double>(rows);
    fill(n, a, [] __device__(int k) { return k % 11 - 3; });
    double usual = fastest(args.repeats, [&] { row_sums<<<planes, dim3(32, 8)>>>(a, sum); }), best = usual;
    for (int warps : {4, 16})
        best = fmin(best, fastest(args.repeats, [&] { row_sums<<<planes, dim3(32, warps)>>>(a, sum); }));
    print_row("row_sums", n, usual, best, 8.0 * n + 8.0 * rows, 'B', checksum(rows, sum, 1));
    return 0;
}
