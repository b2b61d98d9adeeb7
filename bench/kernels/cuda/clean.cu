// 64 steps of Hoegbom's CLEAN on a radio picture of 1024 x 1024 floats: a kernel takes the last peak away and finds the next one on its way, by an atomic
// maximum of size and place in 64 bits; the host doesn't wait between.
#include "kernels.cuh"

enum { SIDE = 1024, STEPS = 64, SOURCES = 100 };
#define GAIN 0.1f

constexpr int THREADS = 256;

// Larger where the size is larger, then where the place comes first; the lowest bit is the sign.
__device__ unsigned long long key(float value, int at)
{
    return (unsigned long long)__float_as_uint(fabsf(value)) << 32 | (unsigned)(0x7fffffff - at) << 1 | (value < 0);
}

__device__ void publish(unsigned long long mine, unsigned long long *to)
{
    __shared__ unsigned long long part[THREADS / 32];
    for (int d = 16; d > 0; d /= 2) {
        unsigned long long other = __shfl_xor_sync(0xffffffff, mine, d);
        mine = other > mine ? other : mine;
    }
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            mine = part[w] > mine ? part[w] : mine;
        atomicMax(to, mine);
    }
}

__global__ void begin(int all, const float *__restrict__ dirty, float *__restrict__ residual, float *__restrict__ model, unsigned long long *first)
{
    unsigned long long mine = 0;
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < all; k += gridDim.x * THREADS) {
        float v = dirty[k];
        residual[k] = v;
        model[k] = 0;
        unsigned long long my = key(v, k);
        mine = my > mine ? my : mine;
    }
    publish(mine, first);
}

__global__ void step(int n, const float *__restrict__ beam, float *__restrict__ residual, float *__restrict__ model, const unsigned long long *peak,
                     unsigned long long *next)
{
    unsigned long long p = *peak, mine = 0;
    int at = 0x7fffffff - (int)((unsigned)p >> 1), row = at / n, column = at % n, half = n / 2;
    float value = __uint_as_float(p >> 32), flux = GAIN * (p & 1 ? -value : value);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        model[at] += flux;
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
        int y = i - row + half;
        for (int j = threadIdx.x; j < n; j += THREADS) {
            int x = j - column + half;
            float v = residual[i * n + j];
            if (y >= 0 && y < n && x >= 0 && x < n) {
                v -= flux * beam[y * n + x];
                residual[i * n + j] = v;
            }
            unsigned long long my = key(v, i * n + j);
            mine = my > mine ? my : mine;
        }
    }
    publish(mine, next);
}

// A beam with rings around its middle, and a sky of single points that the beam spreads, with some noise.
static void observe(int n, float *dirty, float *beam)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double d = hypot(i - n / 2, j - n / 2);
            beam[i * n + j] = cos(0.6 * d) / (1 + 0.25 * d * sqrt(d));
            dirty[i * n + j] = 0.01 * number(i * n + j);
        }
    for (int s = 0; s < SOURCES; s++) {
        int row = mix(2 * s) % n, column = mix(2 * s + 1) % n;
        float flux = 1 + 4 * number(s + 77);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int y = i - row + n / 2, x = j - column + n / 2;
                if (y >= 0 && y < n && x >= 0 && x < n)
                    dirty[i * n + j] += flux * beam[y * n + x];
            }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n;
    float *dirty = NEW(float, all), *beam = NEW(float, all), *residual = NEW(float, all), *model = NEW(float, all);
    double sum = 0;
    observe(n, dirty, beam);
    float *ddirty = on_device(dirty, all), *dbeam = on_device(beam, all), *dresidual = device<float>(all), *dmodel = device<float>(all);
    unsigned long long *peaks = device<unsigned long long>(STEPS + 1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(peaks, 0, (STEPS + 1) * sizeof *peaks));
        begin<<<min(n, 1024), THREADS>>>(all, ddirty, dresidual, dmodel, peaks);
        for (int s = 0; s < STEPS; s++)
            step<<<n, THREADS>>>(n, dbeam, dresidual, dmodel, peaks + s, peaks + s + 1);
    });
    to_host(residual, dresidual, all);
    to_host(model, dmodel, all);
    for (int k = 0; k < all; k++)
        sum += fabs(residual[k]) + 100 * model[k] * (1 + k % 7);
    report("clean", best, sum);
    return 0;
}
