// Eigenvalues of 2^17 symmetric matrices of 6 x 6 doubles by Jacobi's rotations; a thread a matrix, whose loops are unrolled, so that the matrix
// is in registers.
#include "kernels.cuh"

constexpr int MATRICES = 1 << 17, N = 6, SWEEPS = 12;

__global__ void eigen(int m, const double *__restrict__ in, double *__restrict__ out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= m)
        return;
    double a[N][N];
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
            a[i][j] = in[(i * N + j) * m + x];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0, diagonal = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            diagonal += a[i][i] * a[i][i];
#pragma unroll
            for (int j = i + 1; j < N; j++)
                off += a[i][j] * a[i][j];
        }
        if (off < 1e-24 * diagonal)
            break;
#pragma unroll
        for (int p = 0; p < N - 1; p++)
#pragma unroll
            for (int q = p + 1; q < N; q++) {
                if (a[p][q] == 0)
                    continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = rsqrt(t * t + 1), s = t * c;
#pragma unroll
                for (int k = 0; k < N; k++) {
                    double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
#pragma unroll
                for (int k = 0; k < N; k++) {
                    double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
            }
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        out[i * m + x] = a[i][i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = MATRICES >> args.shift;
    double *in = NEW(double, N * N * m), *out = NEW(double, N * m), sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
            for (int x = 0; x < m; x++)
                in[(i * N + j) * m + x] = in[(j * N + i) * m + x] = number((i * N + j) * m + x) - 0.5 + (i == j) * i;
    double *din = on_device(in, N * N * m), *dout = device<double>(N * m);
    double best = fastest(args.repeats, [&] { eigen<<<ceiling(m, 128), 128>>>(m, din, dout); });
    to_host(out, dout, N * m);
    for (int k = 0; k < N * m; k++)
        sum += sqrt(fabs(out[k])) + out[k] * out[k] * out[k];
    report("eigen", best, sum);
    return 0;
}
