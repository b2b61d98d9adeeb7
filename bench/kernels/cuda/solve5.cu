// 32768 systems of five equations each, as the lines of an implicit solver have them; a thread a system, all in registers.
#include "kernels.cuh"

constexpr int M = 5;

__global__ void solve(int n, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ x)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= n)
        return;
    double l[M][M], r[M];
#pragma unroll
    for (int i = 0; i < M; i++) {
#pragma unroll
        for (int j = 0; j < M; j++)
            l[i][j] = a[(i * M + j) * n + s];
        r[i] = b[i * n + s];
    }
#pragma unroll
    for (int k = 0; k < M; k++) {
        double pivot = 1 / l[k][k];
#pragma unroll
        for (int j = k + 1; j < M; j++)
            l[k][j] *= pivot;
        r[k] *= pivot;
#pragma unroll
        for (int i = 0; i < M; i++)
            if (i != k) {
                double f = l[i][k];
#pragma unroll
                for (int j = k + 1; j < M; j++)
                    l[i][j] -= f * l[k][j];
                r[i] -= f * r[k];
            }
    }
#pragma unroll
    for (int i = 0; i < M; i++)
        x[i * n + s] = r[i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 32768 >> args.shift;
    double *a = NEW(double, n * M * M), *b = NEW(double, n * M), *x = NEW(double, n * M), sum = 0;
    FILL(a, n * M * M, 1);
    FILL(b, n * M, 1);
    for (int s = 0; s < n; s++)
        for (int i = 0; i < M; i++)
            a[i * (M + 1) * n + s] += M;
    double *da = on_device(a, n * M * M), *db = on_device(b, n * M), *dx = device<double>(n * M);
    double best = fastest(args.repeats, [&] { solve<<<ceiling(n, 128), 128>>>(n, da, db, dx); });
    to_host(x, dx, n * M);
    SUM(sum, x, n * M);
    report("solve5", best, sum);
    return 0;
}
