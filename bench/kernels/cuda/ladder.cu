// An iteration of coupled-cluster doubles with the ladder of particles only, double: 24 occupied and 36 empty orbitals; the ladder as a product of matrices
// in tiles of 32 x 64.
#include "kernels.cuh"

enum { OCCUPIED = 24, EMPTY = 36 };

constexpr int ROWS = 32, COLUMNS = 64, DEEP = 16, THREADS = 128;

__global__ void products(int o, int v, const double *__restrict__ t1, const double *__restrict__ t2, double *__restrict__ tau)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= o * o * v * v)
        return;
    int b = at % v, a = at / v % v, ij = at / (v * v), i = ij / o, j = ij % o;
    tau[at] = t2[at] + t1[i * v + a] * t1[j * v + b];
}

// Each thread has 4 rows and 4 columns, 16 columns apart.
__global__ void __launch_bounds__(THREADS) climb(int rows, int n, const double *__restrict__ tau, const double *__restrict__ ladder,
                                                 const double *__restrict__ integral, double *__restrict__ r)
{
    __shared__ double left[DEEP][ROWS + 1], right[DEEP][COLUMNS];
    int row = blockIdx.y * ROWS, column = blockIdx.x * COLUMNS, x = threadIdx.x % 16, y = threadIdx.x / 16;
    double sum[4][4] = {};
    for (int k = 0; k < n; k += DEEP) {
        for (int s = threadIdx.x; s < ROWS * DEEP; s += THREADS) {
            int a = s / DEEP, b = s % DEEP;
            left[b][a] = row + a < rows && k + b < n ? tau[(row + a) * n + k + b] : 0;
        }
        for (int s = threadIdx.x; s < DEEP * COLUMNS; s += THREADS) {
            int a = s / COLUMNS, b = s % COLUMNS;
            right[a][b] = k + a < n && column + b < n ? ladder[(k + a) * n + column + b] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < DEEP; d++) {
            double one[4], two[4];
#pragma unroll
            for (int q = 0; q < 4; q++) {
                one[q] = left[d][y * 4 + q];
                two[q] = right[d][x + 16 * q];
            }
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[p][q] += one[p] * two[q];
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++) {
            int i = row + y * 4 + p, j = column + x + 16 * q;
            if (i < rows && j < n)
                r[i * n + j] = integral[i * n + j] + sum[p][q];
        }
}

__global__ void divide(int o, int v, const double *__restrict__ e, const double *__restrict__ t1, const double *__restrict__ integral,
                       const double *__restrict__ r, double *__restrict__ next, double *__restrict__ energy)
{
    __shared__ double warps[8];
    double mine = 0;
    for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < o * o * v * v; at += gridDim.x * blockDim.x) {
        int b = at % v, a = at / v % v, ij = at / (v * v), i = ij / o, j = ij % o;
        double t = 0.5 * (r[at] + r[((j * o + i) * v + b) * v + a]) / (e[i] + e[j] - e[o + a] - e[o + b]);
        next[at] = t;
        mine += (2 * integral[at] - integral[(ij * v + b) * v + a]) * (t + t1[i * v + a] * t1[j * v + b]);
    }
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            mine += warps[w];
        atomicAdd(energy, mine);
    }
}

static void molecule(int o, int v, double *e, double *t1, double *t2, double *ladder, double *integral)
{
    for (int p = 0; p < o + v; p++)
        e[p] = p < o ? -2 - 0.1 * (o - p) : 0.5 + 0.1 * (p - o);
    for (int k = 0; k < o * v; k++)
        t1[k] = 0.1 * (number(k) - 0.5);
    for (long k = 0; k < (long)o * o * v * v; k++) {
        t2[k] = 0.2 * (number(k + 5) - 0.4);
        integral[k] = 0.3 * number(k + 7);
    }
    for (long k = 0; k < (long)v * v * v * v; k++)
        ladder[k] = 0.1 * number(k + 3) / v;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int o = (OCCUPIED >> args.shift / 2) & ~1, v = EMPTY >> args.shift / 2, oo = o * o, vv = v * v;
    double *e = NEW(double, o + v), *t1 = NEW(double, o * v), *t2 = NEW(double, oo * vv), *ladder = NEW(double, vv * vv), *integral = NEW(double, oo * vv),
           *next = NEW(double, oo * vv), *energy = pinned<double>(), sum = 0;
    molecule(o, v, e, t1, t2, ladder, integral);
    double *de = on_device(e, o + v), *dt1 = on_device(t1, o * v), *dt2 = on_device(t2, oo * vv), *dladder = on_device(ladder, vv * vv),
           *dintegral = on_device(integral, oo * vv), *dtau = device<double>(oo * vv), *dr = device<double>(oo * vv), *dnext = device<double>(oo * vv),
           *denergy = device<double>(1);
    dim3 grid(ceiling(vv, COLUMNS), ceiling(oo, ROWS));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(denergy, 0, sizeof(double)));
        products<<<ceiling(oo * vv, 256), 256>>>(o, v, dt1, dt2, dtau);
        climb<<<grid, THREADS>>>(oo, vv, dtau, dladder, dintegral, dr);
        divide<<<4 * multiprocessors(), 256>>>(o, v, de, dt1, dintegral, dr, dnext, denergy);
        CHECK(cudaMemcpyAsync(energy, denergy, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(next, dnext, oo * vv);
    for (int k = 0; k < oo * vv; k++)
        sum += next[k] * (1 + k % 3);
    report("ladder", best, sum + *energy);
    return 0;
}
