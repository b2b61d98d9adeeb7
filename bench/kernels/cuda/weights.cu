// A particle filter's step: weights of 65536 particles, their sum, cumulative sums by a scan in steps, and resampling by bisection; a thread a particle.
#include "kernels.cuh"

constexpr int POINTS = 32;

__global__ void weigh(int n, int pixels, const unsigned char *__restrict__ image, const float *__restrict__ x, const int *__restrict__ offset,
                      float *__restrict__ w, float *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = 0;
    if (i < n) {
        float likely = 0;
        int place = (int)roundf(x[i]);
        for (int k = 0; k < POINTS; k++) {
            int at = abs(place + offset[k]);
            float value = image[at >= pixels ? 0 : at];
            likely += ((value - 100.f) * (value - 100.f) - (value - 228.f) * (value - 228.f)) / 5000.f;
        }
        w[i] = mine = expf(likely / POINTS * 0.1f);
    }
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, mine);
}

__global__ void normalize(int n, float *__restrict__ w, float *__restrict__ c, const float *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = w[i] = w[i] / *sum;
}

__global__ void add(int n, int step, const float *__restrict__ c, float *__restrict__ next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        next[i] = i >= step ? c[i] + c[i - step] : c[i];
}

__global__ void choose(int n, const float *__restrict__ c, int *__restrict__ chosen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float u = (i + 0.5f) / n;
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (c[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    chosen[i] = low;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 16) >> args.shift, pixels = 1 << 14, offset[POINTS], *chosen = NEW(int, n);
    unsigned char *image = NEW(unsigned char, pixels);
    float *x = NEW(float, n), *w = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < pixels; k++)
        image[k] = 100 + mix(k) % 128;
    for (int k = 0; k < POINTS; k++)
        offset[k] = (k % 8 - 4) + (k / 8 - 2) * 128;
    FILL(x, n, pixels);
    unsigned char *dimage = on_device(image, pixels);
    int *doffset = on_device(offset, POINTS), *dchosen = device<int>(n);
    float *dx = on_device(x, n), *dw = device<float>(n), *c = device<float>(n), *next = device<float>(n), *total = device<float>(1);
    int blocks = ceiling(n, 128);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(total, 0, sizeof *total));
        weigh<<<blocks, 128>>>(n, pixels, dimage, dx, doffset, dw, total);
        normalize<<<blocks, 128>>>(n, dw, c, total);
        float *from = c, *to = next;
        for (int step = 1; step < n; step *= 2) {
            add<<<blocks, 128>>>(n, step, from, to);
            float *swap = from;
            from = to, to = swap;
        }
        choose<<<blocks, 128>>>(n, from, dchosen);
    });
    to_host(w, dw, n);
    to_host(chosen, dchosen, n);
    for (int i = 0; i < n; i++)
        sum += w[i] * (1 + i % 5) + chosen[i] * 1e-9;
    report("weights", best, sum);
    return 0;
}
