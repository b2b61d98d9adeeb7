// Chains of anchors between long reads and a genome, as minimap2 makes them: a warp a read, two of the 64 anchors before on each
// lane, a read's anchors and scores in shared memory.
#include "kernels.cuh"

constexpr int READS = 4096, ANCHORS = 512, WINDOW = 64, SPAN = 15, FAR = 5000, BAND = 500, NONE = -1000000, WARPS = 4;

__device__ int gain(int2 a, int2 b)
{
    int dx = b.x - a.x, dy = b.y - a.y, gap = abs(dx - dy);
    if (dx <= 0 || dy <= 0 || dx > FAR || dy > FAR || gap > BAND)
        return NONE;
    return min(SPAN, min(dx, dy)) - (int)(gap * 0.15f) - (gap ? (31 - __clz(gap)) / 2 : 0);
}

__global__ void __launch_bounds__(32 * WARPS)
chain(int n, const int2 *__restrict__ anchor, int *__restrict__ score, int *__restrict__ before)
{
    __shared__ int2 anchors[WARPS][ANCHORS];
    __shared__ int scores[WARPS][ANCHORS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, r = blockIdx.x * WARPS + warp;
    if (r >= n)
        return;
    for (int k = lane; k < ANCHORS; k += 32)
        anchors[warp][k] = anchor[r * ANCHORS + k];
    __syncwarp();
    for (int i = 0; i < ANCHORS; i++) {
        int2 here = anchors[warp][i];
        // the latest of equal ones
        int key = SPAN * 1024;
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int j = i - 1 - lane - 32 * half, s = j >= 0 ? scores[warp][j] + gain(anchors[warp][j], here) : NONE;
            if (s > SPAN)
                key = max(key, s * 1024 + j + 1);
        }
        for (int d = 16; d > 0; d /= 2)
            key = max(key, __shfl_xor_sync(0xffffffff, key, d));
        if (lane == 0) {
            scores[warp][i] = key / 1024;
            before[r * ANCHORS + i] = key % 1024 - 1;
        }
        __syncwarp();
    }
    for (int k = lane; k < ANCHORS; k += 32)
        score[r * ANCHORS + k] = scores[warp][k];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = READS >> args.shift, all = n * ANCHORS, *x = NEW(int, all), *y = NEW(int, all);
    int *score = NEW(int, all), *before = NEW(int, all);
    int2 *anchor = NEW(int2, all);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        int noise = mix(k) % 4 == 0;
        x[k] = (k % ANCHORS ? x[k - 1] : 1000) + mix(k + all) % 40;
        y[k] = noise ? (int)(mix(k + 7) % 10000) : x[k] - 900 + (int)(mix(k / 32) % 60) - (int)(mix(k + 3) % 8);
        anchor[k] = make_int2(x[k], y[k]);
    }
    int2 *danchor = on_device(anchor, all);
    int *dscore = device<int>(all), *dbefore = device<int>(all);
    double best = fastest(args.repeats, [&] { chain<<<ceiling(n, WARPS), 32 * WARPS>>>(n, danchor, dscore, dbefore); });
    to_host(score, dscore, all);
    to_host(before, dbefore, all);
    for (int k = 0; k < all; k++)
        sum += score[k] + (k % ANCHORS + 1) * 0.01 * before[k];
    report("chaining", best, sum);
    return 0;
}
