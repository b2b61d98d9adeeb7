// Singular values of 2048 matrices of 32 x 32 doubles by one-sided Jacobi rotations: a block of 16 warps a matrix in shared memory,
// a warp a pair of columns.
#include "kernels.cuh"

constexpr int MATRICES = 2048, N = 32, SWEEPS = 7, THREADS = 16 * N;

__device__ double sum_of_warp(double v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
}

__global__ void __launch_bounds__(THREADS) singular(const double *__restrict__ matrix, double *__restrict__ value)
{
    __shared__ double a[N][N];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    matrix += blockIdx.x * N * N;
    for (int j = warp; j < N; j += N / 2)
        a[j][lane] = matrix[j * N + lane];
    __syncthreads();
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int round = 0; round < N - 1; round++) {
            int p = warp == 0 ? N - 1 : (round + warp) % (N - 1), q = (round + N - 1 - warp) % (N - 1);
            double u = a[p][lane], v = a[q][lane];
            double alpha = sum_of_warp(u * u), beta = sum_of_warp(v * v), gamma = sum_of_warp(u * v);
            if (fabs(gamma) > 1e-15 * sqrt(alpha * beta)) {
                double zeta = (beta - alpha) / (2 * gamma);
                double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                double c = rsqrt(1 + t * t), s = c * t;
                a[p][lane] = c * u - s * v;
                a[q][lane] = s * u + c * v;
            }
            __syncthreads();
        }
    for (int j = warp; j < N; j += N / 2) {
        double sum = sum_of_warp(a[j][lane] * a[j][lane]);
        if (lane == 0)
            value[blockIdx.x * N + j] = sqrt(sum);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = MATRICES >> args.shift;
    double *matrix = NEW(double, n * N * N), *value = NEW(double, n * N), sum = 0;
    for (int k = 0; k < n * N * N; k++)
        matrix[k] = number(k) - 0.5 + (k % N == k / N % N ? 1 + k % N * 0.1 : 0);
    double *dmatrix = on_device(matrix, n * N * N), *dvalue = device<double>(n * N);
    double best = fastest(args.repeats, [&] { singular<<<n, THREADS>>>(dmatrix, dvalue); });
    to_host(value, dvalue, n * N);
    for (int m = 0; m < n; m++) {
        double most = 0, least = 1e30, all = 0;
        for (int j = 0; j < N; j++) {
            most = fmax(most, value[m * N + j]);
            least = fmin(least, value[m * N + j]);
            all += value[m * N + j];
        }
        sum += all + 3 * most + 2 * least;
    }
    report("svd", best, sum);
    return 0;
}
