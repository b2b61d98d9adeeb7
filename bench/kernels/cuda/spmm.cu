// A sparse matrix of 32768 rows with 1 to 31 numbers each times a dense one of 64 columns, float; a warp a row and 32 columns, two for each thread.
#include "kernels.cuh"

constexpr int COLUMNS = 64;

__global__ void spmm(int n, const int *__restrict__ start, const int *__restrict__ column, const float *__restrict__ value,
                     const float *__restrict__ b, float *__restrict__ c)
{
    int i = blockIdx.x * blockDim.y + threadIdx.y, j = 2 * threadIdx.x;
    if (i >= n)
        return;
    float2 sum = {0, 0};
    int end = start[i + 1];
    for (int k = start[i]; k < end; k++) {
        float v = value[k];
        float2 x = *(const float2 *)&b[column[k] * COLUMNS + j];
        sum.x += v * x.x;
        sum.y += v * x.y;
    }
    *(float2 *)&c[i * COLUMNS + j] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 15) >> args.shift, *start = NEW(int, n + 1), nnz = 0;
    for (int i = 0; i <= n; i++) {
        start[i] = nnz;
        nnz += 1 + mix(i) % 31;
    }
    nnz = start[n];
    int *column = NEW(int, nnz);
    float *value = NEW(float, nnz), *b = NEW(float, n * COLUMNS), *c = NEW(float, n * COLUMNS);
    double sum = 0;
    for (int k = 0; k < nnz; k++)
        column[k] = mix(k + 5) % n;
    FILL(value, nnz, 1);
    FILL(b, n * COLUMNS, 1);
    int *dstart = on_device(start, n + 1), *dcolumn = on_device(column, nnz);
    float *dvalue = on_device(value, nnz), *db = on_device(b, n * COLUMNS), *dc = device<float>(n * COLUMNS);
    double best = fastest(args.repeats, [&] { spmm<<<ceiling(n, 4), dim3(32, 4)>>>(n, dstart, dcolumn, dvalue, db, dc); });
    to_host(c, dc, n * COLUMNS);
    SUM(sum, c, n * COLUMNS);
    report("spmm", best, sum);
    return 0;
}
