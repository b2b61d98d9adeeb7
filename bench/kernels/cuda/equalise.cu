// A picture of 4096 x 4096 bytes with its contrast evened out place by place (CLAHE): a block for each tile of 64 x 64 points with its histogram in
// shared memory and running sums by shuffles; then four points a thread from the maps of the tiles around.
#include "kernels.cuh"

constexpr int SIDE = 4096, TILE = 64, LEVELS = 256, AREA = TILE * TILE, LIMIT = 4 * AREA / LEVELS, THREADS = LEVELS, WARPS = THREADS / 32;

__global__ void __launch_bounds__(THREADS) maps(int w, const uchar4 *__restrict__ in, unsigned char *__restrict__ map)
{
    __shared__ int bins[LEVELS], parts[WARPS], excess;
    int v = threadIdx.x, lane = v % 32, warp = v / 32;
    bins[v] = 0;
    if (v == 0)
        excess = 0;
    __syncthreads();
    const uchar4 *tile = in + (blockIdx.y * TILE * w + blockIdx.x * TILE) / 4;
    for (int i = v; i < AREA / 4; i += THREADS) {
        uchar4 p = tile[i / (TILE / 4) * (w / 4) + i % (TILE / 4)];
        atomicAdd(&bins[p.x], 1);
        atomicAdd(&bins[p.y], 1);
        atomicAdd(&bins[p.z], 1);
        atomicAdd(&bins[p.w], 1);
    }
    __syncthreads();
    int mine = bins[v], over = max(mine - LIMIT, 0);
    mine -= over;
    for (int s = 16; s > 0; s /= 2)
        over += __shfl_xor_sync(0xffffffffu, over, s);
    if (lane == 0)
        atomicAdd(&excess, over);
    __syncthreads();
    mine += excess / LEVELS + (v < excess % LEVELS);
    for (int s = 1; s < 32; s *= 2) {
        int before = __shfl_up_sync(0xffffffffu, mine, s);
        if (lane >= s)
            mine += before;
    }
    if (lane == 31)
        parts[warp] = mine;
    __syncthreads();
    for (int k = 0; k < warp; k++)
        mine += parts[k];
    map[(blockIdx.y * gridDim.x + blockIdx.x) * LEVELS + v] = (mine * (LEVELS - 1) + AREA / 2) / AREA;
}

__global__ void __launch_bounds__(THREADS)
    look_up(int w, const uchar4 *__restrict__ in, const unsigned char *__restrict__ map, uchar4 *__restrict__ out)
{
    int i = blockIdx.x * THREADS + threadIdx.x, n = w / TILE;
    if (i >= w * w / 4)
        return;
    // The half tile of a point is that of its four.
    int x = i % (w / 4) * 4, y = i / (w / 4), px = 2 * x + 1 + TILE, py = 2 * y + 1 + TILE, fx = px % (2 * TILE), fy = py % (2 * TILE);
    int right = px / (2 * TILE), below = py / (2 * TILE), left = max(right - 1, 0), above = max(below - 1, 0);
    right = min(right, n - 1);
    below = min(below, n - 1);
    const unsigned char *nw = map + (above * n + left) * LEVELS, *ne = map + (above * n + right) * LEVELS;
    const unsigned char *sw = map + (below * n + left) * LEVELS, *se = map + (below * n + right) * LEVELS;
    auto between = [&](int v, int f) {
        int upper = (2 * TILE - f) * nw[v] + f * ne[v], lower = (2 * TILE - f) * sw[v] + f * se[v];
        return ((2 * TILE - fy) * upper + fy * lower + 2 * AREA) / (4 * AREA);
    };
    uchar4 p = in[i];
    out[i] = make_uchar4(between(p.x, fx), between(p.y, fx + 2), between(p.z, fx + 4), between(p.w, fx + 6));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIDE >> (args.shift + 1) / 2, n = w / TILE;
    unsigned char *in = NEW(unsigned char, w * w);
    double sum = 0;
    // Dark at the left, with a pattern of low contrast, noise and some bright spots.
    for (int y = 0; y < w; y++)
        for (int x = 0; x < w; x++)
            in[y * w + x] = 20 + x * 120 / w + (x / 24 + y / 40) % 3 * 9 + mix(y * w + x) % 13 + (mix(y / 16 * w + x / 16) % 61 == 0) * 70;
    unsigned char *din = on_device(in, w * w), *map = device<unsigned char>(n * n * LEVELS), *out = device<unsigned char>(w * w);
    double best = fastest(args.repeats, [&] {
        maps<<<dim3(n, n), THREADS>>>(w, (const uchar4 *)din, map);
        look_up<<<ceiling(w * w / 4, THREADS), THREADS>>>(w, (const uchar4 *)din, map, (uchar4 *)out);
    });
    to_host(in, out, w * w);
    for (int i = 0; i < w * w; i++)
        sum += in[i] * (i % 7 + 1);
    report("equalise", best, sum);
    return 0;
}
