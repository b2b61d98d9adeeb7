// 16384 traces of 2048 floats through a band-pass of three biquads, forward and back, states in double: a warp has 32 traces, which pass through shared memory
// 32 samples at a time.
#include "kernels.cuh"

enum { TRACES = 1 << 14, SAMPLES = 2048, SECTIONS = 3 };

constexpr int TILE = 32;

__constant__ double c[SECTIONS * 5];

// Traces are a warp's own, so that it needs no other.
template <bool BACK> __device__ void pass(int count, const float *in, float *out, float (*tile)[TILE + 1])
{
    int lane = threadIdx.x;
    double one[SECTIONS] = {}, two[SECTIONS] = {};
    float next[TILE];
    int at = BACK ? SAMPLES - TILE : 0;
#pragma unroll
    for (int r = 0; r < TILE; r++)
        next[r] = r < count ? in[r * SAMPLES + at + lane] : 0;
    for (int piece = 0; piece < SAMPLES / TILE; piece++) {
#pragma unroll
        for (int r = 0; r < TILE; r++)
            tile[r][lane] = next[r];
        __syncwarp();
        int ahead = BACK ? at - TILE : at + TILE;
        if (piece + 1 < SAMPLES / TILE) {
#pragma unroll
            for (int r = 0; r < TILE; r++)
                next[r] = r < count ? in[r * SAMPLES + ahead + lane] : 0;
        }
#pragma unroll 8
        for (int i = 0; i < TILE; i++) {
            int k = BACK ? TILE - 1 - i : i;
            double x = tile[lane][k];
#pragma unroll
            for (int s = 0; s < SECTIONS; s++) {
                double y = c[5 * s] * x + one[s];
                one[s] = c[5 * s + 1] * x - c[5 * s + 3] * y + two[s];
                two[s] = c[5 * s + 2] * x - c[5 * s + 4] * y;
                x = y;
            }
            tile[lane][k] = x;
        }
        __syncwarp();
#pragma unroll
        for (int r = 0; r < TILE; r++)
            if (r < count)
                out[r * SAMPLES + at + lane] = tile[r][lane];
        __syncwarp();
        at = ahead;
    }
}

__global__ void __launch_bounds__(TILE) filter(int n, const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    long begin = (long)blockIdx.x * TILE * SAMPLES;
    int count = min(TILE, n - (int)blockIdx.x * TILE);
    pass<false>(count, in + begin, out + begin, tile);
    pass<true>(count, out + begin, out + begin, tile);
}

// Coefficients b0, b1, b2, a1, a2 of a high-pass and two low-passes.
static void design(double *c)
{
    double turn[SECTIONS] = {0.06, 0.7, 0.7}, quality[SECTIONS] = {0.7071, 0.5412, 1.3066};
    for (int s = 0; s < SECTIONS; s++) {
        double cosine = cos(turn[s]), alpha = sin(turn[s]) / (2 * quality[s]), a0 = 1 + alpha, b = (s == 0 ? 1 + cosine : 1 - cosine) / 2;
        c[5 * s] = b / a0;
        c[5 * s + 1] = (s == 0 ? -2 : 2) * b / a0;
        c[5 * s + 2] = b / a0;
        c[5 * s + 3] = -2 * cosine / a0;
        c[5 * s + 4] = (1 - alpha) / a0;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TRACES >> args.shift, all = n * SAMPLES;
    double host[SECTIONS * 5], sum = 0;
    float *in = NEW(float, all), *out = NEW(float, all);
    design(host);
    FILL(in, all, 2);
    CHECK(cudaMemcpyToSymbol(c, host, sizeof host));
    float *din = on_device(in, all), *dout = device<float>(all);
    double best = fastest(args.repeats, [&] { filter<<<ceiling(n, TILE), TILE>>>(n, din, dout); });
    to_host(out, dout, all);
    for (int k = 0; k < all; k++)
        sum += fabs(out[k]) * (1 + k % 3);
    report("biquads", best, sum);
    return 0;
}
