// Noise taken out of a picture of 512 x 512 floats by non-local means: blocks of 32 x 8 pixels with what they search in shared memory, a pixel's own
// 5 x 5 in registers.
#include "kernels.cuh"

constexpr int SIDE = 512, SEARCH = 5, PATCH = 2, EDGE = SEARCH + PATCH, ACROSS = 32, DOWN = 8, WIDE = 2 * PATCH + 1;
constexpr int TX = ACROSS + 2 * EDGE, TY = DOWN + 2 * EDGE;
constexpr float NOISE = 0.08f, FILTER = 0.07f;

__global__ void __launch_bounds__(ACROSS *DOWN) denoise(int h, int w, const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[TY][TX];
    int x0 = blockIdx.x * ACROSS, y0 = blockIdx.y * DOWN, x = x0 + threadIdx.x, y = y0 + threadIdx.y, pitch = w + 2 * EDGE;
    for (int i = threadIdx.y * ACROSS + threadIdx.x; i < TY * TX; i += ACROSS * DOWN)
        tile[i / TX][i % TX] = in[min(y0 + i / TX, h + 2 * EDGE - 1) * pitch + min(x0 + i % TX, pitch - 1)];
    __syncthreads();
    if (x >= w || y >= h)
        return;
    float own[WIDE][WIDE], sum = 0, weights = 0;
#pragma unroll
    for (int py = 0; py < WIDE; py++)
#pragma unroll
        for (int px = 0; px < WIDE; px++)
            own[py][px] = tile[threadIdx.y + SEARCH + py][threadIdx.x + SEARCH + px];
    for (int dy = 0; dy <= 2 * SEARCH; dy++)
#pragma unroll
        for (int dx = 0; dx <= 2 * SEARCH; dx++) {
            float distance = 0;
#pragma unroll
            for (int py = 0; py < WIDE; py++)
#pragma unroll
                for (int px = 0; px < WIDE; px++) {
                    float d = own[py][px] - tile[threadIdx.y + dy + py][threadIdx.x + dx + px];
                    distance += d * d;
                }
            float weight = expf(-fmaxf(distance / (WIDE * WIDE) - 2 * NOISE * NOISE, 0) / (FILTER * FILTER));
            sum += weight * tile[threadIdx.y + dy + PATCH][threadIdx.x + dx + PATCH];
            weights += weight;
        }
    out[y * w + x] = sum / weights;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIDE >> (args.shift + 1) / 2, h = w, pitch = w + 2 * EDGE, n = (h + 2 * EDGE) * pitch;
    float *in = NEW(float, n), *out = NEW(float, h * w);
    double sum = 0;
    // Squares of several greys under noise.
    for (int i = 0; i < n; i++)
        in[i] = 0.5f * (float)number((i / pitch / 24) * 97 + i % pitch / 24) + NOISE * 3.4f * (float)(number(i + 4242) - 0.5);
    float *din = on_device(in, n), *dout = device<float>(h * w);
    dim3 grid(ceiling(w, ACROSS), ceiling(h, DOWN)), block(ACROSS, DOWN);
    double best = fastest(args.repeats, [&] { denoise<<<grid, block>>>(h, w, din, dout); });
    to_host(out, dout, h * w);
    for (int i = 0; i < h * w; i++)
        sum += fabs(out[i]) * (i % 5 + 1);
    report("nonlocal", best, sum);
    return 0;
}
