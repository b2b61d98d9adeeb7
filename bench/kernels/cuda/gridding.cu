// Gridding of 2^17 visibilities of a radio interferometer, float2: 64 threads for each, a point of the grid of
// 1024 x 1024 for each thread, two atomic additions.
#include "kernels.cuh"

constexpr int SAMPLES = 1 << 17, TIMES = 256, SIDE = 1024, SUPPORT = 8, OVER = 16;
constexpr int POINTS = SUPPORT * SUPPORT, THREADS = 256;

__global__ void spread(int n, const float *__restrict__ u, const float *__restrict__ v, const float2 *__restrict__ vis,
                       const float *__restrict__ taper, float2 *__restrict__ grid)
{
    __shared__ float kernel[OVER * SUPPORT];
    for (int k = threadIdx.x; k < OVER * SUPPORT; k += THREADS)
        kernel[k] = taper[k];
    __syncthreads();
    int x = threadIdx.x % SUPPORT, y = threadIdx.x / SUPPORT % SUPPORT;
    int group = blockIdx.x * (THREADS / POINTS) + threadIdx.x / POINTS, groups = gridDim.x * (THREADS / POINTS);
    for (int s = group; s < n; s += groups) {
        float su = __ldg(&u[s]), sv = __ldg(&v[s]);
        float2 value = __ldg(&vis[s]);
        int iu = (int)floorf(su), iv = (int)floorf(sv), fu = (int)((su - iu) * OVER), fv = (int)((sv - iv) * OVER);
        float w = kernel[fv * SUPPORT + y] * kernel[fu * SUPPORT + x];
        float2 *at = &grid[(iv - SUPPORT / 2 + 1 + y) * SIDE + iu - SUPPORT / 2 + 1 + x];
        atomicAdd(&at->x, w * value.x);
        atomicAdd(&at->y, w * value.y);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift, points = 2 * SIDE * SIDE, blocks = full_grid(spread, THREADS);
    float *u = NEW(float, n), *v = NEW(float, n), *vis = NEW(float, 2 * n), *taper = NEW(float, OVER * SUPPORT);
    float *grid = NEW(float, points);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int baseline = k / TIMES;
        double r = 480 * number(3 * baseline) * number(3 * baseline + 1);
        double angle = 6.28 * number(3 * baseline + 2) + k % TIMES * 0.006;
        u[k] = (float)(SIDE / 2 + r * cos(angle));
        v[k] = (float)(SIDE / 2 + 0.8 * r * sin(angle));
    }
    for (int k = 0; k < 2 * n; k++)
        vis[k] = number(k) - 0.25;
    for (int f = 0; f < OVER; f++)
        for (int k = 0; k < SUPPORT; k++) {
            double d = (k - SUPPORT / 2 + 1 - (f + 0.5) / OVER) / (SUPPORT / 2);
            taper[f * SUPPORT + k] = (float)exp(-4 * d * d);
        }
    float *du = on_device(u, n), *dv = on_device(v, n), *dtaper = on_device(taper, OVER * SUPPORT);
    float2 *dvis = reinterpret_cast<float2 *>(on_device(vis, 2 * n)), *dgrid = device<float2>(points / 2);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dgrid, 0, points * sizeof(float)));
        spread<<<blocks, THREADS>>>(n, du, dv, dvis, dtaper, dgrid);
    });
    to_host(grid, reinterpret_cast<float *>(dgrid), points);
    for (int k = 0; k < points; k++)
        sum += fabsf(grid[k]);
    report("gridding", best, sum);
    return 0;
}
