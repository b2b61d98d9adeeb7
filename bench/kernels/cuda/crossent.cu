// Cross entropy with smoothed labels of 2048 rows of 32000 floats, and its gradient: a block a row, largest and sum in one pass, then the gradient.
#include "kernels.cuh"

enum { ROWS = 2048, WORDS = 32000 };
#define SMOOTH 0.1f

constexpr int THREADS = 1024;

struct row { float most, sum, all; };

__device__ row both(row a, row b)
{
    float most = fmaxf(a.most, b.most);
    return {most, a.sum * __expf(a.most - most) + b.sum * __expf(b.most - most), a.all + b.all};
}

__device__ row over_warp(row r)
{
    for (int d = 16; d > 0; d /= 2)
        r = both(r, {__shfl_xor_sync(0xffffffff, r.most, d), __shfl_xor_sync(0xffffffff, r.sum, d), __shfl_xor_sync(0xffffffff, r.all, d)});
    return r;
}

__global__ void __launch_bounds__(THREADS) entropy(const float *__restrict__ x, const int *__restrict__ label, float *__restrict__ loss, float *__restrict__ gradient)
{
    __shared__ row part[32];
    int i = blockIdx.x, l = label[i];
    const float4 *from = (const float4 *)(x + (size_t)i * WORDS);
    float4 *to = (float4 *)(gradient + (size_t)i * WORDS);
    row r = {-1e30f, 0, 0};
    for (int j = threadIdx.x; j < WORDS / 4; j += THREADS) {
        float4 v = from[j];
        float most = fmaxf(fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)), r.most);
        r.sum = r.sum * __expf(r.most - most) + __expf(v.x - most) + __expf(v.y - most) + __expf(v.z - most) + __expf(v.w - most);
        r.all += v.x + v.y + v.z + v.w;
        r.most = most;
    }
    r = over_warp(r);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = r;
    __syncthreads();
    r = over_warp(part[threadIdx.x % 32]);
    float inverse = 1 / r.sum;
    for (int j = threadIdx.x; j < WORDS / 4; j += THREADS) {
        float4 v = from[j];
        v.x = __expf(v.x - r.most) * inverse - SMOOTH / WORDS - (4 * j == l ? 1 - SMOOTH : 0);
        v.y = __expf(v.y - r.most) * inverse - SMOOTH / WORDS - (4 * j + 1 == l ? 1 - SMOOTH : 0);
        v.z = __expf(v.z - r.most) * inverse - SMOOTH / WORDS - (4 * j + 2 == l ? 1 - SMOOTH : 0);
        v.w = __expf(v.w - r.most) * inverse - SMOOTH / WORDS - (4 * j + 3 == l ? 1 - SMOOTH : 0);
        to[j] = v;
    }
    if (threadIdx.x == 0)
        loss[i] = r.most + logf(r.sum) - (1 - SMOOTH) * x[(size_t)i * WORDS + l] - SMOOTH * r.all / WORDS;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, all = n * WORDS, *label = NEW(int, n);
    float *x = NEW(float, all), *loss = NEW(float, n), *gradient = NEW(float, all);
    double sum = 0;
    FILL(x, all, 8);
    for (int i = 0; i < n; i++)
        label[i] = mix(i) % WORDS;
    int *dlabel = on_device(label, n);
    float *dx = on_device(x, all), *dloss = device<float>(n), *dgradient = device<float>(all);
    double best = fastest(args.repeats, [&] { entropy<<<n, THREADS>>>(dx, dlabel, dloss, dgradient); });
    to_host(loss, dloss, n);
    to_host(gradient, dgradient, all);
    SUM(sum, loss, n);
    for (int k = 0; k < all; k++)
        sum += fabs(gradient[k]);
    report("crossent", best, sum);
    return 0;
}
