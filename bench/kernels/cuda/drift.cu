// Genetic drift with selection (Wright and Fisher) at 4096 loci of 1024 genes over 64 generations: a warp a locus, 32 genes a lane.
#include "kernels.cuh"

enum { LOCI = 4096, GENES = 1024, GENERATIONS = 64, WARPS = 4 };

__global__ void drift(int loci, const int *__restrict__ start, const int *__restrict__ favour, int *__restrict__ last, int *__restrict__ decided,
                      unsigned *__restrict__ diversity)
{
    int l = blockIdx.x * WARPS + threadIdx.y, lane = threadIdx.x;
    if (l >= loci)
        return;
    int count = start[l], gain = 1000 + favour[l], g;
    unsigned seed = mix(l + 77) + lane;
    for (g = 0; g < GENERATIONS && count > 0 && count < GENES; g++) {
        unsigned long long weighted = (unsigned long long)count * gain;
        unsigned threshold = (weighted << 32) / (weighted + 1000 * (GENES - count));
        int next = 0;
#pragma unroll 8
        for (int k = 0; k < GENES; k += 32)
            next += mix(seed + g * GENES + k) < threshold;
        for (int d = 16; d > 0; d /= 2)
            next += __shfl_xor_sync(0xffffffff, next, d);
        count = next;
        if (lane == 0)
            atomicAdd(&diversity[g], count * (GENES - count));
    }
    if (lane == 0) {
        last[l] = count;
        decided[l] = g;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int loci = LOCI >> args.shift, *start = NEW(int, loci), *favour = NEW(int, loci), *last = NEW(int, loci), *decided = NEW(int, loci);
    unsigned *diversity = NEW(unsigned, GENERATIONS);
    double sum = 0;
    for (int l = 0; l < loci; l++) {
        start[l] = 1 + mix(l) % (l % 8 == 0 ? 10 : GENES - 1);
        favour[l] = mix(l + 5) % 30;
    }
    int *dstart = on_device(start, loci), *dfavour = on_device(favour, loci), *dlast = device<int>(loci), *ddecided = device<int>(loci);
    unsigned *ddiversity = device<unsigned>(GENERATIONS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(ddiversity, 0, GENERATIONS * sizeof(unsigned)));
        drift<<<ceiling(loci, WARPS), dim3(32, WARPS)>>>(loci, dstart, dfavour, dlast, ddecided, ddiversity);
    });
    to_host(diversity, ddiversity, GENERATIONS);
    to_host(last, dlast, loci);
    to_host(decided, ddecided, loci);
    for (int g = 0; g < GENERATIONS; g++)
        sum += (1 + g % 5) * 0.001 * diversity[g];
    for (int l = 0; l < loci; l++)
        sum += last[l] + decided[l];
    report("drift", best, sum);
    return 0;
}
