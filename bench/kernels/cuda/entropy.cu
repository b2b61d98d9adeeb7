// The entropy of 16 grey levels in the 5 x 5 points around each of 1024 x 1024, float: a histogram for each point; a thread a point,
// its histogram in shared memory.
#include "kernels.cuh"

constexpr int RADIUS = 2, LEVELS = 16;

__global__ void entropy(int n, const unsigned char *__restrict__ level, float *__restrict__ out)
{
    __shared__ char count[LEVELS][256];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        t = threadIdx.y * blockDim.x + threadIdx.x, all = 0;
    if (x >= n || y >= n)
        return;
    for (int k = 0; k < LEVELS; k++)
        count[k][t] = 0;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            if (y + dy >= 0 && y + dy < n && x + dx >= 0 && x + dx < n) {
                count[level[(y + dy) * n + x + dx]][t]++;
                all++;
            }
    float sum = 0;
    for (int k = 0; k < LEVELS; k++)
        if (count[k][t]) {
            float p = (float)count[k][t] / all;
            sum -= p * log2f(p);
        }
    out[y * n + x] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> (args.shift + 1) / 2;
    unsigned char *level = NEW(unsigned char, n * n);
    float *out = NEW(float, n * n);
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        level[k] = mix(k) % LEVELS;
    unsigned char *dlevel = on_device(level, n * n);
    float *dout = device<float>(n * n);
    dim3 block(16, 16), grid(ceiling(n, 16), ceiling(n, 16));
    double best = fastest(args.repeats, [&] { entropy<<<grid, block>>>(n, dlevel, dout); });
    to_host(out, dout, n * n);
    SUM(sum, out, n * n);
    report("entropy", best, sum);
    return 0;
}
