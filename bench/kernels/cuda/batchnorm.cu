// Batch normalisation as in training, float: 64 images of 256 channels of 28 x 28. A block a channel for the statistics, then a block for each
// image's channel; both take four numbers at a time.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int CHANNELS = 256, AREA = 28 * 28, FOURS = AREA / 4;

__global__ void statistics(int images, const float4 *__restrict__ x, float *__restrict__ mean, float *__restrict__ variance,
                           float *__restrict__ running)
{
    int c = blockIdx.x;
    float sum = 0, squares = 0;
    for (int k = threadIdx.x; k < images * FOURS; k += blockDim.x) {
        float4 v = x[(k / FOURS * CHANNELS + c) * FOURS + k % FOURS];
        sum += v.x + v.y + v.z + v.w;
        squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    auto add = [](float a, float b) { return a + b; };
    sum = block_reduce(sum, 0.0f, add);
    __syncthreads();
    squares = block_reduce(squares, 0.0f, add);
    if (threadIdx.x == 0) {
        float count = images * AREA, m = sum / count, v = squares / count - m * m;
        mean[c] = m;
        variance[c] = v;
        running[c] = 0.9f * running[c] + 0.1f * m;
        running[CHANNELS + c] = 0.9f * running[CHANNELS + c] + 0.1f * v * count / (count - 1);
    }
}

__global__ void apply(const float4 *__restrict__ x, const float *__restrict__ gamma, const float *__restrict__ beta,
                      const float *__restrict__ mean, const float *__restrict__ variance, float4 *__restrict__ y)
{
    int c = blockIdx.x % CHANNELS;
    float scale = gamma[c] * rsqrtf(variance[c] + 1e-5f), shift = beta[c] - mean[c] * scale;
    if (threadIdx.x < FOURS) {
        float4 v = x[blockIdx.x * FOURS + threadIdx.x];
        y[blockIdx.x * FOURS + threadIdx.x] = make_float4(fmaxf(0, v.x * scale + shift), fmaxf(0, v.y * scale + shift),
                                                          fmaxf(0, v.z * scale + shift), fmaxf(0, v.w * scale + shift));
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = 64 >> args.shift, all = images * CHANNELS * AREA;
    float *x = NEW(float, all), *y = NEW(float, all), *gamma = NEW(float, CHANNELS), *beta = NEW(float, CHANNELS),
          *running = NEW(float, 2 * CHANNELS);
    double sum = 0;
    for (int k = 0; k < all; k++)
        x[k] = (int)(mix(k) % 16) * 0.25f - 2;
    FILL(gamma, CHANNELS, 2);
    FILL(beta, CHANNELS, 1);
    FILL(running, 2 * CHANNELS, 1);
    float4 *dx = reinterpret_cast<float4 *>(on_device(x, all)), *dy = device<float4>(all / 4);
    float *dgamma = on_device(gamma, CHANNELS), *dbeta = on_device(beta, CHANNELS), *drunning = on_device(running, 2 * CHANNELS),
          *dmean = device<float>(CHANNELS), *dvariance = device<float>(CHANNELS);
    double best = fastest(args.repeats, [&] {
        statistics<<<CHANNELS, 512>>>(images, dx, dmean, dvariance, drunning);
        apply<<<images * CHANNELS, 224>>>(dx, dgamma, dbeta, dmean, dvariance, dy);
    });
    to_host(y, reinterpret_cast<float *>(dy), all);
    to_host(running, drunning, 2 * CHANNELS);
    SUM(sum, y, all);
    SUM(sum, running, 2 * CHANNELS);
    report("batchnorm", best, sum);
    return 0;
}
