// Inverses of 2^18 matrices of 4 x 4 doubles by elimination with pivots, a thread for each.
#include "kernels.cuh"

constexpr int ORDER = 4;

__global__ void invert(int n, const double *__restrict__ in, double *__restrict__ out)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= n)
        return;
    double a[ORDER][2 * ORDER];
#pragma unroll
    for (int i = 0; i < ORDER; i++)
#pragma unroll
        for (int j = 0; j < ORDER; j++) {
            a[i][j] = in[(m * ORDER + i) * ORDER + j];
            a[i][ORDER + j] = i == j;
        }
#pragma unroll
    for (int k = 0; k < ORDER; k++) {
        // Each larger row comes up by an exchange, so that all indices are constants.
#pragma unroll
        for (int i = k + 1; i < ORDER; i++)
            if (fabs(a[i][k]) > fabs(a[k][k]))
#pragma unroll
                for (int j = 0; j < 2 * ORDER; j++) {
                    double t = a[k][j];
                    a[k][j] = a[i][j];
                    a[i][j] = t;
                }
        double scale = 1 / a[k][k];
#pragma unroll
        for (int j = 0; j < 2 * ORDER; j++)
            a[k][j] *= scale;
#pragma unroll
        for (int i = 0; i < ORDER; i++)
            if (i != k) {
                double factor = a[i][k];
#pragma unroll
                for (int j = 0; j < 2 * ORDER; j++)
                    a[i][j] -= factor * a[k][j];
            }
    }
#pragma unroll
    for (int i = 0; i < ORDER; i++)
#pragma unroll
        for (int j = 0; j < ORDER; j++)
            out[(m * ORDER + i) * ORDER + j] = a[i][ORDER + j];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift, size = n * ORDER * ORDER;
    double *in = NEW(double, size), *out = NEW(double, size), sum = 0;
    for (int k = 0; k < size; k++)
        in[k] = number(k) - 0.3 + (k % 5 == 0) * (k % 2 ? 2 : -2);
    double *din = on_device(in, size), *dout = device<double>(size);
    double best = fastest(args.repeats, [&] { invert<<<ceiling(n, 128), 128>>>(n, din, dout); });
    to_host(out, dout, size);
    for (int k = 0; k < size; k++)
        sum += fabs(out[k]) < 10 ? fabs(out[k]) : 10;
    report("inverse", best, sum);
    return 0;
}
