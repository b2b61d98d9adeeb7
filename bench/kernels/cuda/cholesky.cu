// Cholesky factors of many small matrices, double, 2^17 of 6 × 6, each in registers of a thread.
#include "kernels.cuh"

constexpr int M = 6;

__global__ void factor(int batch, const double *__restrict__ in, double *__restrict__ out)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= batch)
        return;
    double a[M][M];
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j <= i; j++)
            a[i][j] = in[(i * M + j) * batch + p];
#pragma unroll
    for (int j = 0; j < M; j++) {
        double d = a[j][j];
#pragma unroll
        for (int k = 0; k < j; k++)
            d -= a[j][k] * a[j][k];
        double inverse = rsqrt(d);
        a[j][j] = d * inverse;
#pragma unroll
        for (int i = j + 1; i < M; i++) {
            double s = a[i][j];
#pragma unroll
            for (int k = 0; k < j; k++)
                s -= a[i][k] * a[j][k];
            a[i][j] = s * inverse;
        }
    }
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j <= i; j++)
            out[(i * M + j) * batch + p] = a[i][j];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int batch = (1 << 17) >> args.shift, all = batch * M * M;
    double *in = NEW(double, all), *out = NEW(double, all), sum = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            for (int p = 0; p < batch; p++)
                in[(i * M + j) * batch + p] = i == j ? M : number(p + (i + j) * batch);
    FILL(out, all, 0);
    double *din = on_device(in, all), *dout = on_device(out, all);
    double best = fastest(args.repeats, [&] { factor<<<ceiling(batch, 128), 128>>>(batch, din, dout); });
    to_host(out, dout, all);
    SUM(sum, out, all);
    report("cholesky", best, sum);
    return 0;
}
