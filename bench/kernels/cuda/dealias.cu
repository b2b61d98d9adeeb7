// What a velocity carries of a scalar in 4096 spectral elements of 8 x 8 x 8 points, double, without aliasing: a block an element, 12 x 12 threads with a column
// of points each in registers, and the planes in shared memory.
#include "kernels.cuh"

enum { ELEMENTS = 4096, N = 8, M = 12, COARSE = N * N * N, FINE = M * M * M };

constexpr int THREADS = M * M;

// `bring` gives values at fine points, `slope` their derivatives.
__global__ void __launch_bounds__(THREADS) convect(const double *__restrict__ bring, const double *__restrict__ slope, const double *__restrict__ t,
                                                   const double *__restrict__ vx, const double *__restrict__ vy, const double *__restrict__ vz,
                                                   double *__restrict__ result)
{
    __shared__ double value[M][N], derive[M][N], in[N][N][N], x[2][N][N][M];
    int thread = threadIdx.x, i = thread % M, j = thread / M;
    long coarse = (long)blockIdx.x * COARSE, fine = (long)blockIdx.x * FINE;
    if (thread < M * N) {
        value[thread / N][thread % N] = bring[thread];
        derive[thread / N][thread % N] = slope[thread];
    }
    for (int p = thread; p < COARSE; p += THREADS)
        in[p / (N * N)][p / N % N][p % N] = t[coarse + p];
    __syncthreads();
    for (int p = thread; p < N * N * M; p += THREADS) {
        int c = p / M, a = p % M;
        double v = 0, s = 0;
#pragma unroll
        for (int l = 0; l < N; l++) {
            double own = in[c / N][c % N][l];
            v += value[a][l] * own;
            s += derive[a][l] * own;
        }
        x[0][c / N][c % N][a] = v;
        x[1][c / N][c % N][a] = s;
    }
    __syncthreads();
    double along_x[N], along_y[N], plain[N], sum[N] = {};
#pragma unroll
    for (int k = 0; k < N; k++) {
        double a = 0, b = 0, c = 0;
#pragma unroll
        for (int l = 0; l < N; l++) {
            double v = x[0][k][l][i];
            a += value[j][l] * x[1][k][l][i];
            b += derive[j][l] * v;
            c += value[j][l] * v;
        }
        along_x[k] = a;
        along_y[k] = b;
        plain[k] = c;
    }
#pragma unroll 2
    for (int k = 0; k < M; k++) {
        long at = fine + k * THREADS + thread;
        double a = 0, b = 0, c = 0;
#pragma unroll
        for (int l = 0; l < N; l++) {
            a += value[k][l] * along_x[l];
            b += value[k][l] * along_y[l];
            c += derive[k][l] * plain[l];
        }
        double product = vx[at] * a + vy[at] * b + vz[at] * c;
#pragma unroll
        for (int l = 0; l < N; l++)
            sum[l] += value[k][l] * product;
    }
    // Back along y and x; the planes of 12 x 12 take the place of x.
    double(*plane)[M][M] = (double(*)[M][M])x;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < N; k++)
        plane[k][j][i] = sum[k];
    __syncthreads();
    double row[(N * N * M + THREADS - 1) / THREADS];
#pragma unroll
    for (int r = 0; r < (N * N * M + THREADS - 1) / THREADS; r++) {
        int p = thread + r * THREADS, k = p / (N * M), b = p / M % N, a = p % M;
        double s = 0;
        if (p < N * N * M)
#pragma unroll
            for (int l = 0; l < M; l++)
                s += value[l][b] * plane[k][l][a];
        row[r] = s;
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < (N * N * M + THREADS - 1) / THREADS; r++) {
        int p = thread + r * THREADS;
        if (p < N * N * M)
            (&x[0][0][0][0])[p] = row[r];
    }
    __syncthreads();
    for (int p = thread; p < COARSE; p += THREADS) {
        double s = 0;
#pragma unroll
        for (int l = 0; l < M; l++)
            s += value[l][p % N] * (&x[0][0][0][0])[p / N * M + l];
        result[coarse + p] = s;
    }
}

// Derivatives of Lagrange's polynomials at their own points, and their values at the fine points.
static void matrices(double *derive, double *bring)
{
    double at[N], weight[N];
    for (int i = 0; i < N; i++)
        at[i] = -cos(3.14159265358979323846 * i / (N - 1));
    for (int i = 0; i < N; i++) {
        weight[i] = 1;
        for (int j = 0; j < N; j++)
            weight[i] *= j == i ? 1 : at[i] - at[j];
    }
    for (int i = 0; i < N; i++) {
        derive[i * N + i] = 0;
        for (int j = 0; j < N; j++)
            if (j != i) {
                derive[i * N + j] = weight[i] / weight[j] / (at[i] - at[j]);
                derive[i * N + i] -= derive[i * N + j];
            }
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double x = -cos(3.14159265358979323846 * (2 * i + 1) / (2 * M)), product = 1 / weight[j];
            for (int l = 0; l < N; l++)
                product *= l == j ? 1 : x - at[l];
            bring[i * N + j] = product;
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ELEMENTS >> args.shift;
    double derive[N * N], bring[M * N], slope[M * N], *t = NEW(double, n * COARSE), *velocity = NEW(double, 3 * n * FINE), *result = NEW(double, n * COARSE),
                                                      sum = 0;
    matrices(derive, bring);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            slope[i * N + j] = 0;
            for (int l = 0; l < N; l++)
                slope[i * N + j] += bring[i * N + l] * derive[l * N + j];
        }
    FILL(t, n * COARSE, 1);
    FILL(velocity, 3 * n * FINE, 0.1);
    double *dbring = on_device(bring, M * N), *dslope = on_device(slope, M * N), *dt = on_device(t, n * COARSE), *dx = on_device(velocity, 3 * n * FINE),
           *dy = dx + n * FINE, *dz = dy + n * FINE, *dresult = device<double>(n * COARSE);
    double best = fastest(args.repeats, [&] { convect<<<n, THREADS>>>(dbring, dslope, dt, dx, dy, dz, dresult); });
    to_host(result, dresult, n * COARSE);
    for (int k = 0; k < n * COARSE; k++)
        sum += fabs(result[k]) * (1 + k % 3);
    report("dealias", best, sum);
    return 0;
}
