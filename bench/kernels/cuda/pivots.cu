// 8192 dense systems of 32 equations, double, by elimination with the largest of each column as the pivot: a warp for each system in shared memory, a
// lane for each row, pivots by shuffles.
#include "kernels.cuh"

constexpr int BATCH = 8192, M = 32, WARPS = 4, THREADS = 32 * WARPS;

__global__ void __launch_bounds__(THREADS)
    solve(int batch, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ x, double *__restrict__ size)
{
    __shared__ double all[WARPS][M][M + 1];
    int lane = threadIdx.x % 32, s = blockIdx.x * WARPS + threadIdx.x / 32;
    if (s >= batch)
        return;
    double(*m)[M + 1] = all[threadIdx.x / 32];
    for (int i = 0; i < M; i++)
        m[i][lane] = a[(s * M + i) * M + lane];
    double y = b[s * M + lane], logarithm = 0;
    __syncwarp();
    for (int k = 0; k < M; k++) {
        double most = lane >= k ? fabs(m[lane][k]) : -1;
        int p = lane;
        for (int d = 16; d > 0; d /= 2) {
            double other = __shfl_xor_sync(0xffffffffu, most, d);
            int q = __shfl_xor_sync(0xffffffffu, p, d);
            if (other > most || (other == most && q < p)) {
                most = other;
                p = q;
            }
        }
        logarithm += log(most);
        double upper = m[k][lane], pivot_row = m[p][lane];
        __syncwarp();
        m[k][lane] = pivot_row;
        if (p != k)
            m[p][lane] = upper;
        double yk = __shfl_sync(0xffffffffu, y, k), yp = __shfl_sync(0xffffffffu, y, p);
        if (lane == p)
            y = yk;
        if (lane == k)
            y = yp;
        __syncwarp();
        if (lane > k) {
            double factor = m[lane][k] / m[k][k];
            y -= factor * yp;
            for (int j = k + 1; j < M; j++)
                m[lane][j] -= factor * m[k][j];
        }
        __syncwarp();
    }
    for (int k = M - 1; k >= 0; k--) {
        double xk = __shfl_sync(0xffffffffu, y / m[k][k], k);
        if (lane == k)
            y = xk;
        if (lane < k)
            y -= m[lane][k] * xk;
    }
    x[s * M + lane] = y;
    if (lane == 0)
        size[s] = logarithm;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int batch = BATCH >> args.shift;
    double *a = NEW(double, batch * M * M), *b = NEW(double, batch * M), *x = NEW(double, batch * M), *size = NEW(double, batch), sum = 0;
    for (int i = 0; i < batch * M * M; i++)
        a[i] = number(i) - 0.5;
    FILL(b, batch * M, 1);
    double *da = on_device(a, batch * M * M), *db = on_device(b, batch * M), *dx = device<double>(batch * M), *dsize = device<double>(batch);
    double best = fastest(args.repeats, [&] { solve<<<ceiling(batch, WARPS), THREADS>>>(batch, da, db, dx, dsize); });
    to_host(x, dx, batch * M);
    to_host(size, dsize, batch);
    for (int i = 0; i < batch * M; i++)
        sum += fmin(fabs(x[i]), 10) * (i % 7 + 1);
    SUM(sum, size, batch);
    report("pivots", best, sum);
    return 0;
}
