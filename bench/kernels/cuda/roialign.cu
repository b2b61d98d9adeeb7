// Features of 1000 regions of an image from 256 channels of 100 x 152 floats: a thread a bin of a channel.
#include "kernels.cuh"

enum { REGIONS = 1000, CHANNELS = 256, HEIGHT = 100, WIDTH = 152, BINS = 7, SAMPLES = 2 };

__device__ float between(const float *__restrict__ plane, float y, float x)
{
    if (y < -1.0f || y > HEIGHT || x < -1.0f || x > WIDTH)
        return 0;
    y = fminf(fmaxf(y, 0), HEIGHT - 1);
    x = fminf(fmaxf(x, 0), WIDTH - 1);
    int y0 = (int)y, x0 = (int)x, y1 = min(y0 + 1, HEIGHT - 1), x1 = min(x0 + 1, WIDTH - 1);
    float dy = y - y0, dx = x - x0;
    return (1 - dy) * ((1 - dx) * plane[y0 * WIDTH + x0] + dx * plane[y0 * WIDTH + x1]) +
           dy * ((1 - dx) * plane[y1 * WIDTH + x0] + dx * plane[y1 * WIDTH + x1]);
}

__global__ void align(int results, const float *__restrict__ features, const float4 *__restrict__ regions, float *__restrict__ out)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= results)
        return;
    int bx = k % BINS, by = k / BINS % BINS, c = k / (BINS * BINS) % CHANNELS, r = k / (BINS * BINS * CHANNELS);
    float4 at = regions[r];
    float w = (at.z - at.x) / BINS, h = (at.w - at.y) / BINS, sum = 0;
#pragma unroll
    for (int iy = 0; iy < SAMPLES; iy++)
#pragma unroll
        for (int ix = 0; ix < SAMPLES; ix++)
            sum += between(features + c * HEIGHT * WIDTH, at.y + by * h + (iy + 0.5f) * h / SAMPLES, at.x + bx * w + (ix + 0.5f) * w / SAMPLES);
    out[k] = sum / (SAMPLES * SAMPLES);
}

static void place(int n, float *regions)
{
    for (int r = 0; r < n; r++) {
        regions[4 * r] = (float)(number(4 * r) * 0.8 * WIDTH - 2);
        regions[4 * r + 1] = (float)(number(4 * r + 1) * 0.8 * HEIGHT - 2);
        regions[4 * r + 2] = regions[4 * r] + (float)(2 + number(4 * r + 2) * 0.3 * WIDTH);
        regions[4 * r + 3] = regions[4 * r + 1] + (float)(2 + number(4 * r + 3) * 0.3 * HEIGHT);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = REGIONS >> args.shift, all = CHANNELS * HEIGHT * WIDTH, results = n * CHANNELS * BINS * BINS;
    float *features = NEW(float, all), *regions = NEW(float, 4 * n), *out = NEW(float, results);
    double sum = 0;
    FILL(features, all, 1);
    place(n, regions);
    float *dfeatures = on_device(features, all), *dregions = on_device(regions, 4 * n), *dout = device<float>(results);
    double best = fastest(args.repeats, [&] { align<<<ceiling(results, 256), 256>>>(results, dfeatures, (const float4 *)dregions, dout); });
    to_host(out, dout, results);
    SUM(sum, out, results);
    report("roialign", best, sum);
    return 0;
}
