// A separable convolution, float: a block for each channel of an image with its border in shared memory; then 1 x 1 as a product of matrices in tiles
// of 64 channels x 64 points, 4 x 4 sums a thread.
#include "kernels.cuh"

constexpr int IMAGES = 16, CHANNELS = 128, SIZE = 56, AREA = SIZE * SIZE, THREADS = 256, TILE = 64, DEPTH = 16, EACH = 4;

__device__ float relu6(float x) { return fminf(fmaxf(x, 0.f), 6.f); }

__global__ void __launch_bounds__(THREADS)
    depthwise(int channels, const float *__restrict__ in, const float *__restrict__ weight, const float *__restrict__ bias, float *__restrict__ out)
{
    constexpr int WIDE = SIZE + 2;
    __shared__ float plane[WIDE * WIDE];
    int c = blockIdx.x, i = blockIdx.y, t = threadIdx.x;
    const float *from = in + (i * channels + c) * AREA;
    float *to = out + (i * channels + c) * AREA;
    for (int k = t; k < WIDE * WIDE; k += THREADS) {
        int y = k / WIDE - 1, x = k % WIDE - 1;
        plane[k] = y >= 0 && y < SIZE && x >= 0 && x < SIZE ? from[y * SIZE + x] : 0;
    }
    float w[9], b = bias[c];
    for (int k = 0; k < 9; k++)
        w[k] = weight[c * 9 + k];
    __syncthreads();
    for (int k = t; k < AREA; k += THREADS) {
        const float *at = plane + k / SIZE * WIDE + k % SIZE;
        float sum = b;
#pragma unroll
        for (int d = 0; d < 9; d++)
            sum += w[d] * at[d / 3 * WIDE + d % 3];
        to[k] = relu6(sum);
    }
}

__global__ void __launch_bounds__(THREADS)
    pointwise(int channels, int outputs, const float *__restrict__ in, const float *__restrict__ weight, const float *__restrict__ bias,
              float *__restrict__ out)
{
    __shared__ float w[DEPTH][TILE + 4], v[DEPTH][TILE];
    int first = blockIdx.x * TILE, top = blockIdx.y * TILE, i = blockIdx.z, t = threadIdx.x, tx = t % 16, ty = t / 16;
    in += i * channels * AREA;
    out += i * outputs * AREA;
    float sum[EACH][EACH] = {};
    for (int depth = 0; depth < channels; depth += DEPTH) {
        for (int k = t; k < DEPTH * TILE; k += THREADS) {
            int o = top + k / DEPTH, c = depth + k % DEPTH;
            w[k % DEPTH][k / DEPTH] = o < outputs && c < channels ? weight[o * channels + c] : 0;
            c = depth + k / TILE;
            v[k / TILE][k % TILE] = c < channels ? in[c * AREA + first + k % TILE] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < DEPTH; d++) {
            float a[EACH], b[EACH];
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                a[k] = w[d][ty * EACH + k];
                b[k] = v[d][tx * EACH + k];
            }
#pragma unroll
            for (int r = 0; r < EACH; r++)
#pragma unroll
                for (int k = 0; k < EACH; k++)
                    sum[r][k] += a[r] * b[k];
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        int o = top + ty * EACH + r;
        if (o < outputs) {
            float b = bias[o];
            *(float4 *)&out[o * AREA + first + tx * EACH] =
                make_float4(relu6(sum[r][0] + b), relu6(sum[r][1] + b), relu6(sum[r][2] + b), relu6(sum[r][3] + b));
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = IMAGES >> args.shift / 2, channels = CHANNELS >> (args.shift + 1) / 2;
    images = images > 0 ? images : 1;
    int n = images * channels * AREA;
    float *in = NEW(float, n), *deep = NEW(float, channels * 9), *deep_bias = NEW(float, channels);
    float *point = NEW(float, channels * channels), *point_bias = NEW(float, channels);
    double sum = 0;
    FILL(in, n, 1);
    for (int i = 0; i < channels * 9; i++)
        deep[i] = number(i + 3) - 0.4;
    for (int i = 0; i < channels * channels; i++)
        point[i] = 0.5 * number(i + 7) - 0.22;
    for (int i = 0; i < channels; i++) {
        deep_bias[i] = 0.2 * number(i);
        point_bias[i] = number(i + 1) - 0.5;
    }
    float *din = on_device(in, n), *ddeep = on_device(deep, channels * 9), *ddeep_bias = on_device(deep_bias, channels);
    float *dpoint = on_device(point, channels * channels), *dpoint_bias = on_device(point_bias, channels);
    float *mid = device<float>(n), *out = device<float>(n);
    static_assert(AREA % TILE == 0);
    double best = fastest(args.repeats, [&] {
        depthwise<<<dim3(channels, images), THREADS>>>(channels, din, ddeep, ddeep_bias, mid);
        pointwise<<<dim3(AREA / TILE, ceiling(channels, TILE), images), THREADS>>>(channels, channels, mid, dpoint, dpoint_bias, out);
    });
    to_host(in, out, n);
    for (int i = 0; i < n; i++)
        sum += in[i] * (i / AREA % channels % 7 + 1);
    report("separable", best, sum);
    return 0;
}
