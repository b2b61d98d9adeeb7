// Two V-cycles of multigrid for Poisson's equation on 129^3 points, double: a thread a point, blocks of 32 x 4 x 2, all levels one behind the other.
#include "kernels.cuh"

constexpr int SIZE = 128, CYCLES = 2, LOWEST = 4, LAST_SWEEPS = 16, BX = 32, BY = 4, BZ = 2, THREADS = BX * BY * BZ;
constexpr double DAMPING = 6.0 / 7;

struct place {
    int x, y, z;
    __device__ place() : x(blockIdx.x * BX + threadIdx.x + 1), y(blockIdx.y * BY + threadIdx.y + 1), z(blockIdx.z * BZ + threadIdx.z + 1) {}
    __device__ bool inside(int n) const { return x < n && y < n && z < n; }
    __device__ int index(int m) const { return (z * m + y) * m + x; }
};

__device__ double star(const double *__restrict__ u, int c, int m)
{
    return u[c - 1] + u[c + 1] + u[c - m] + u[c + m] + u[c - m * m] + u[c + m * m];
}

__global__ void __launch_bounds__(THREADS) smooth(int n, double square, const double *__restrict__ u, const double *__restrict__ f,
                                                  double *__restrict__ out)
{
    place p;
    if (!p.inside(n))
        return;
    int c = p.index(n + 1);
    out[c] = (1 - DAMPING) * u[c] + DAMPING / 6 * (star(u, c, n + 1) + square * f[c]);
}

__global__ void __launch_bounds__(THREADS) residual(int n, double by, const double *__restrict__ u, const double *__restrict__ f,
                                                    double *__restrict__ r)
{
    place p;
    if (!p.inside(n))
        return;
    int c = p.index(n + 1);
    r[c] = f[c] + by * (star(u, c, n + 1) - 6 * u[c]);
}

__global__ void __launch_bounds__(THREADS) restriction(int n, const double *__restrict__ r, double *__restrict__ f, double *__restrict__ u)
{
    place p;
    if (!p.inside(n))
        return;
    int fine = 2 * n + 1;
    const double *from = r + (2 * p.z * fine + 2 * p.y) * fine + 2 * p.x;
    double sum = 0;
#pragma unroll
    for (int k = -1; k <= 1; k++)
#pragma unroll
        for (int j = -1; j <= 1; j++) {
            const double *line = from + (k * fine + j) * fine;
            sum += (k ? 1 : 2) * (j ? 1 : 2) * (line[-1] + 2 * line[0] + line[1]);
        }
    int c = p.index(n + 1);
    f[c] = sum / 64;
    u[c] = 0;
}

__global__ void __launch_bounds__(THREADS) prolong(int n, const double *__restrict__ coarse, double *__restrict__ u)
{
    place p;
    if (!p.inside(n))
        return;
    int half = n / 2 + 1, i = p.x & 1, j = (p.y & 1) * half, k = (p.z & 1) * half * half;
    const double *e = coarse + (p.z / 2 * half + p.y / 2) * half + p.x / 2;
    u[p.index(n + 1)] += 0.125 * (e[0] + e[i] + e[j] + e[i + j] + e[k] + e[i + k] + e[j + k] + e[i + j + k]);
}

__global__ void __launch_bounds__(256) squares(int n, const double *__restrict__ r, double *total)
{
    __shared__ double part[8];
    double sum = 0;
    for (int c = blockIdx.x * 256 + threadIdx.x; c < n; c += gridDim.x * 256)
        sum += r[c] * r[c];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            sum += part[w];
        atomicAdd(total, sum);
    }
}

static void cycle(int n, double *u, double *f, double *scratch, double *r)
{
    int all = (n + 1) * (n + 1) * (n + 1), half = n / 2;
    double square = 1.0 / n / n;
    dim3 block(BX, BY, BZ), grid(ceiling(n - 1, BX), ceiling(n - 1, BY), ceiling(n - 1, BZ));
    for (int s = 0; s < (n == LOWEST ? LAST_SWEEPS : 2); s += 2) {
        smooth<<<grid, block>>>(n, square, u, f, scratch);
        smooth<<<grid, block>>>(n, square, scratch, f, u);
    }
    if (n == LOWEST)
        return;
    residual<<<grid, block>>>(n, (double)n * n, u, f, r);
    restriction<<<dim3(ceiling(half - 1, BX), ceiling(half - 1, BY), ceiling(half - 1, BZ)), block>>>(half, r, f + all, u + all);
    cycle(half, u + all, f + all, scratch + all, r + all);
    prolong<<<grid, block>>>(n, u + all, u);
    smooth<<<grid, block>>>(n, square, u, f, scratch);
    smooth<<<grid, block>>>(n, square, scratch, f, u);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIZE >> (args.shift + 2) / 3, all = (n + 1) * (n + 1) * (n + 1), total = 0;
    for (int k = n; k >= LOWEST; k /= 2)
        total += (k + 1) * (k + 1) * (k + 1);
    double *f = NEW(double, total), *u = NEW(double, total), sum = 0;
    for (int c = 0; c < total; c++)
        u[c] = f[c] = 0;
    double *du = on_device(u, total), *scratch = on_device(u, total), *r = on_device(u, total), *norm = device<double>(1), *result = pinned<double>();
    for (int c = 0; c < all; c++)
        f[c] = 1 + 4 * number(c);
    double *df = on_device(f, total);
    dim3 block(BX, BY, BZ), grid(ceiling(n - 1, BX), ceiling(n - 1, BY), ceiling(n - 1, BZ));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(du, 0, all * sizeof(double)));
        CHECK(cudaMemsetAsync(norm, 0, sizeof(double)));
        for (int k = 0; k < CYCLES; k++)
            cycle(n, du, df, scratch, r);
        residual<<<grid, block>>>(n, (double)n * n, du, df, r);
        squares<<<ceiling(all, 256 * 8), 256>>>(all, r, norm);
        CHECK(cudaMemcpyAsync(result, norm, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(u, du, all);
    SUM(sum, u, all);
    report("vcycle", best, sum + 1000 * sqrt(*result / all));
    return 0;
}
