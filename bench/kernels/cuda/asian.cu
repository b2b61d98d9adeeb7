// Price of an Asian option by Monte Carlo, float: 2^18 paths of 64 steps, random numbers of a generator per path.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int STEPS = 64;

__device__ float uniform(unsigned &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (state >> 8) * (1.0f / 16777216);
}

__global__ void price(int paths, double *total)
{
    double mine = 0;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < paths; p += gridDim.x * blockDim.x) {
        unsigned state = mix(p) | 1;
        float s = 100, mean = 0;
#pragma unroll 4
        for (int k = 0; k < STEPS; k++) {
            float u = uniform(state) + uniform(state) + uniform(state) + uniform(state) - 2;
            s *= expf(0.0004f + 0.035f * u);
            mean += s;
        }
        mean /= STEPS;
        mine += fmaxf(mean - 100, 0);
    }
    mine = block_reduce(mine, 0.0, [](double p, double q) { return p + q; });
    if (threadIdx.x == 0)
        atomicAdd(total, mine);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int paths = (1 << 18) >> args.shift;
    double *dtotal = device<double>(1), *total = pinned<double>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof(double)));
        price<<<ceiling(paths, 256), 256>>>(paths, dtotal);
        CHECK(cudaMemcpyAsync(total, dtotal, sizeof(double), cudaMemcpyDeviceToHost));
    });
    report("asian", best, *total / paths);
    return 0;
}
