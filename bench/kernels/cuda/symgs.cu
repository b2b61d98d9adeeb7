// Smoothing as in HPCG, double: two symmetric sweeps of Gauss and Seidel through a sparse matrix of 27 points on 96^3 unknowns in the
// order of eight colours: a launch a colour, a thread a row, the columns of the matrix side by side.
#include "kernels.cuh"

constexpr int SIDE = 96, MOST = 27, COLOURS = 8, SWEEPS = 2, THREADS = 128;

__global__ void __launch_bounds__(THREADS)
sweep(int n, int from, int to, const int *__restrict__ column, const double *__restrict__ value,
      const double *__restrict__ diagonal, const double *__restrict__ b, double *x)
{
    int i = from + blockIdx.x * THREADS + threadIdx.x;
    if (i >= to)
        return;
    double sum = b[i], d = diagonal[i];
#pragma unroll
    for (int k = 0; k < MOST; k++) {
        int j = column[k * n + i];
        if (j >= 0 && k != MOST / 2)
            sum -= value[k * n + i] * x[j];
    }
    x[i] = sum / d;
}

__global__ void __launch_bounds__(THREADS)
residual(int n, const int *__restrict__ column, const double *__restrict__ value, const double *__restrict__ b,
         const double *__restrict__ x, double *__restrict__ norm)
{
    __shared__ double sums[THREADS / 32];
    int i = blockIdx.x * THREADS + threadIdx.x;
    double r = 0;
    if (i < n) {
        r = b[i];
#pragma unroll
        for (int k = 0; k < MOST; k++) {
            int j = column[k * n + i];
            if (j >= 0)
                r -= value[k * n + i] * x[j];
        }
    }
    r *= r;
    for (int d = 16; d > 0; d /= 2)
        r += __shfl_xor_sync(0xffffffff, r, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = r;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / 32; k++)
            r += sums[k];
        atomicAdd(norm, r);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE, *column = NEW(int, MOST * n), *place = NEW(int, n);
    int first[COLOURS + 1] = {0}, *from = NEW(int, n);
    double *value = NEW(double, MOST * n), *diagonal = NEW(double, n), *b = NEW(double, n), *x = NEW(double, n);
    double norms[SWEEPS], sum = 0;
    for (int c = 0, next = 0; c < COLOURS; c++) {
        for (int i = 0; i < n; i++)
            if (i % 2 + i / SIDE % 2 * 2 + i / (SIDE * SIDE) % 2 * 4 == c) {
                place[i] = next;
                from[next++] = i;
            }
        first[c + 1] = next;
    }
    for (int r = 0; r < n; r++) {
        int i = from[r];
        for (int k = 0; k < MOST; k++) {
            int x = i % SIDE + k % 3 - 1, y = i / SIDE % SIDE + k / 3 % 3 - 1, z = i / (SIDE * SIDE) + k / 9 - 1;
            int inside = x >= 0 && x < SIDE && y >= 0 && y < SIDE && z >= 0 && z < depth;
            column[k * n + r] = inside ? place[(z * SIDE + y) * SIDE + x] : -1;
            value[k * n + r] = k == MOST / 2 ? 26 : -1;
        }
        diagonal[r] = 26;
        b[r] = number(i);
    }
    int *dcolumn = on_device(column, MOST * n);
    double *dvalue = on_device(value, MOST * n), *ddiagonal = on_device(diagonal, n), *db = on_device(b, n);
    double *dx = device<double>(n), *dnorms = device<double>(SWEEPS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dx, 0, n * sizeof(double)));
        CHECK(cudaMemsetAsync(dnorms, 0, sizeof norms));
        for (int k = 0; k < SWEEPS; k++) {
            for (int step = 0; step < 2 * COLOURS; step++) {
                int c = step < COLOURS ? step : 2 * COLOURS - 1 - step, rows = first[c + 1] - first[c];
                if (rows > 0)
                    sweep<<<ceiling(rows, THREADS), THREADS>>>(n, first[c], first[c + 1], dcolumn, dvalue, ddiagonal, db, dx);
            }
            residual<<<ceiling(n, THREADS), THREADS>>>(n, dcolumn, dvalue, db, dx, dnorms + k);
        }
        CHECK(cudaMemcpy(norms, dnorms, sizeof norms, cudaMemcpyDeviceToHost));
        for (int k = 0; k < SWEEPS; k++)
            norms[k] = sqrt(norms[k]);
    });
    to_host(x, dx, n);
    for (int r = 0; r < n; r++)
        sum += x[r] * (1 + from[r] % 3);
    report("symgs", best, sum + norms[0] + 2 * norms[1]);
    return 0;
}
