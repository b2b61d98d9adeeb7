// Site percolation in 2^17 squares of 32 x 32, whose sites are open by a linear congruential generator with one of 16 chances: a warp a square and a
// lane a row, which carries fill sideways at once, and shuffles join to its neighbours.
#include "kernels.cuh"

constexpr int TRIALS = 1 << 17, ROWS = 32, CHANCES = 16, THREADS = 256;
constexpr unsigned ALL = 0xffffffffu;

// From each wet site to the last of those open above it: a carry runs through the ones of a row until the first zero.
__device__ unsigned upwards(unsigned open, unsigned water) { return water | (open & ~(open + water)); }

__global__ void __launch_bounds__(THREADS) percolate(int n, const unsigned *__restrict__ chance, int *__restrict__ through, int *__restrict__ wet,
                                                     unsigned long long *__restrict__ total)
{
    int lane = threadIdx.x % 32, i = (blockIdx.x * THREADS + threadIdx.x) / 32;
    if (i >= n)
        return;
    unsigned state = mix(i * ROWS + lane), threshold = chance[i % CHANCES], open = 0;
#pragma unroll
    for (int b = 0; b < 32; b++) {
        state = state * 1664525u + 1013904223u;
        open |= (unsigned)(state >> 8 < threshold) << b;
    }
    unsigned water = lane == 0 ? open : 0, mirror = __brev(open), before;
    do {
        unsigned above = __shfl_up_sync(ALL, water, 1), below = __shfl_down_sync(ALL, water, 1);
        before = water;
        // The outermost lanes get their own word.
        water |= (above | below) & open;
        water = upwards(open, water);
        water = __brev(upwards(mirror, __brev(water)));
    } while (__any_sync(ALL, water != before));
    int sites = __popc(water), last = __shfl_sync(ALL, water, ROWS - 1) != 0;
    for (int s = 16; s > 0; s /= 2)
        sites += __shfl_down_sync(ALL, sites, s);
    if (lane == 0) {
        wet[i] = sites;
        atomicAdd(total, (unsigned long long)sites);
        if (last)
            atomicAdd(&through[i % CHANCES], 1);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TRIALS >> args.shift, *through = NEW(int, CHANCES), *wet = NEW(int, n);
    unsigned *chance = NEW(unsigned, CHANCES);
    unsigned long long total = 0;
    double sum = 0;
    for (int c = 0; c < CHANCES; c++)
        chance[c] = (unsigned)((0.50 + 0.012 * c) * (1 << 24));
    unsigned *dchance = on_device(chance, CHANCES);
    int *dthrough = device<int>(CHANCES), *dwet = device<int>(n);
    unsigned long long *dtotal = device<unsigned long long>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dthrough, 0, CHANCES * sizeof(int)));
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof(unsigned long long)));
        percolate<<<ceiling(n, THREADS / 32), THREADS>>>(n, dchance, dthrough, dwet, dtotal);
        CHECK(cudaMemcpy(&total, dtotal, sizeof(unsigned long long), cudaMemcpyDeviceToHost));
    });
    to_host(through, dthrough, CHANCES);
    to_host(wet, dwet, n);
    for (int c = 0; c < CHANCES; c++)
        sum += (100.0 + c) * through[c];
    for (int i = 0; i < n; i++)
        sum += (double)wet[i] * (i % 11);
    report("percolation", best, sum + total);
    return 0;
}
