// Running sums of 2^22 ints in three phases, as the OpenACC program has them, but that warps read and write the parts of 64.
#include "kernels.cuh"

constexpr int BLOCK = 64;

__global__ void sums(int parts, const int2 *__restrict__ in, int *__restrict__ part)
{
    int p = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (p >= parts)
        return;
    int2 v = in[p * 32 + lane];
    int s = v.x + v.y;
    for (int step = 16; step > 0; step /= 2)
        s += __shfl_down_sync(0xffffffff, s, step);
    if (lane == 0)
        part[p] = s;
}

__global__ void round_of(int parts, int step, const int *__restrict__ part, int *__restrict__ next)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < parts)
        next[p] = part[p] + (p >= step ? part[p - step] : 0);
}

__global__ void within(int parts, const int2 *__restrict__ in, const int *__restrict__ part, int2 *__restrict__ out)
{
    int p = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (p >= parts)
        return;
    int2 v = in[p * 32 + lane];
    int s = v.x + v.y, before = p > 0 ? part[p - 1] : 0;
    for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(0xffffffff, s, step);
        s += lane >= step ? other : 0;
    }
    out[p * 32 + lane] = {before + s - v.y, before + s};
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 22) >> args.shift, parts = n / BLOCK, *in = NEW(int, n), *out = NEW(int, n);
    double sum = 0;
    FILL(in, n, 10);
    int2 *din = reinterpret_cast<int2 *>(on_device(in, n)), *dout = reinterpret_cast<int2 *>(device<int>(n));
    int *table[2] = {device<int>(parts), device<int>(parts)};
    double best = fastest(args.repeats, [&] {
        int now = 0;
        sums<<<ceiling(parts * 32L, 256), 256>>>(parts, din, table[0]);
        for (int step = 1; step < parts; step *= 2, now = 1 - now)
            round_of<<<ceiling(parts, 256), 256>>>(parts, step, table[now], table[1 - now]);
        within<<<ceiling(parts * 32L, 256), 256>>>(parts, din, table[now], dout);
    });
    to_host(out, reinterpret_cast<int *>(dout), n);
    SUM(sum, out, n);
    report("scan", best, sum);
    return 0;
}
