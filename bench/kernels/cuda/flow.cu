// What moves between two pictures of 2048 x 2048 bytes (Lucas and Kanade): slopes of a tile and its surroundings in shared memory, sums along its rows there
// as well, then along columns.
#include "kernels.cuh"

enum { SIDE = 2048, REACH = 3, ENOUGH = 100000, WIDE = 32, HIGH = 16, THREADS = 256 };

__global__ void __launch_bounds__(THREADS) flow(int n, const unsigned char *__restrict__ first, const unsigned char *__restrict__ second, float *__restrict__ u,
                                                float *__restrict__ v, int *__restrict__ found)
{
    constexpr int ROWS = HIGH + 2 * REACH, COLUMNS = WIDE + 2 * REACH;
    __shared__ short along[ROWS][COLUMNS], across[ROWS][COLUMNS], change[ROWS][COLUMNS];
    __shared__ int sums[5][ROWS][WIDE];
    int x0 = blockIdx.x * WIDE, y0 = blockIdx.y * HIGH;
    for (int k = threadIdx.x; k < ROWS * COLUMNS; k += THREADS) {
        int r = k / COLUMNS, c = k % COLUMNS, y = y0 + r - REACH, x = x0 + c - REACH;
        short a = 0, b = 0, d = 0;
        if (x >= 0 && x < n && y >= 0 && y < n) {
            a = first[y * n + min(x + 1, n - 1)] - first[y * n + max(x - 1, 0)];
            b = first[min(y + 1, n - 1) * n + x] - first[max(y - 1, 0) * n + x];
            d = 2 * (second[y * n + x] - first[y * n + x]);
        }
        along[r][c] = a;
        across[r][c] = b;
        change[r][c] = d;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < ROWS * WIDE; k += THREADS) {
        int r = k / WIDE, x = k % WIDE, xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
#pragma unroll
        for (int c = x; c <= x + 2 * REACH; c++) {
            int a = along[r][c], b = across[r][c], d = change[r][c];
            xx += a * a;
            xy += a * b;
            yy += b * b;
            xt += a * d;
            yt += b * d;
        }
        sums[0][r][x] = xx;
        sums[1][r][x] = xy;
        sums[2][r][x] = yy;
        sums[3][r][x] = xt;
        sums[4][r][x] = yt;
    }
    __syncthreads();
    int count = 0;
    for (int k = threadIdx.x; k < HIGH * WIDE; k += THREADS) {
        int y = k / WIDE, x = k % WIDE, at = (y0 + y) * n + x0 + x;
        long long s[5];
#pragma unroll
        for (int i = 0; i < 5; i++) {
            int sum = 0;
#pragma unroll
            for (int r = 0; r <= 2 * REACH; r++)
                sum += sums[i][y + r][x];
            s[i] = sum;
        }
        if (y0 + y >= n || x0 + x >= n)
            continue;
        long long det = s[0] * s[2] - s[1] * s[1];
        bool good = det > ENOUGH;
        double inverse = good ? 1.0 / det : 0;
        u[at] = (s[1] * s[4] - s[2] * s[3]) * inverse;
        v[at] = (s[1] * s[3] - s[0] * s[4]) * inverse;
        count += good;
    }
    for (int d = 16; d > 0; d /= 2)
        count += __shfl_down_sync(0xffffffff, count, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(found, count);
}

static double scene(double x, double y) { return 128 + 50 * sin(0.11 * x + 0.05 * y) + 40 * sin(0.13 * y - 0.07 * x) + 20 * sin(0.002 * x * y); }

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, *found = pinned<int>();
    unsigned char *first = NEW(unsigned char, n * n), *second = NEW(unsigned char, n * n);
    float *u = NEW(float, n * n), *v = NEW(float, n * n);
    double sum = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            first[y * n + x] = scene(x, y) + mix(y * n + x) % 8;
            second[y * n + x] = scene(x - 0.7, y + 0.4) + mix(y * n + x) % 8;
        }
    unsigned char *dfirst = on_device(first, n * n), *dsecond = on_device(second, n * n);
    float *du = device<float>(n * n), *dv = device<float>(n * n);
    int *dfound = device<int>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dfound, 0, sizeof(int)));
        flow<<<dim3(ceiling(n, WIDE), ceiling(n, HIGH)), THREADS>>>(n, dfirst, dsecond, du, dv, dfound);
        CHECK(cudaMemcpyAsync(found, dfound, sizeof(int), cudaMemcpyDeviceToHost));
    });
    to_host(u, du, n * n);
    to_host(v, dv, n * n);
    for (int k = 0; k < n * n; k++)
        sum += fabs(u[k]) + 2 * fabs(v[k]);
    report("flow", best, sum + *found);
    return 0;
}
