// The price of a call that is lost above a barrier where volatility is random as well (Heston), double: a thread a path, sums by shuffles and atomics.
#include "kernels.cuh"

enum { PATHS = 1 << 17, STEPS = 64 };
#define SPOT 100.0
#define STRIKE 100.0
#define BARRIER 140.0
#define RATE 0.03
#define KAPPA 2.0
#define THETA 0.04
#define XI 0.3
#define RHO (-0.7)
#define DT (1.0 / STEPS)

__device__ unsigned draw(unsigned &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__global__ void price(int n, double *__restrict__ sums)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    double paid = 0, square = 0, out = 0;
    if (p < n) {
        unsigned state = mix(p + 1) | 1;
        double s = log(SPOT), v = THETA, wall = log(BARRIER);
        for (int k = 0; k < STEPS; k++) {
            double u1 = (draw(state) + 0.5) / 4294967296.0, u2 = draw(state) / 4294967296.0, z1, z2;
            double r = sqrt(-2 * log(u1));
            sincos(6.283185307179586 * u2, &z2, &z1);
            z1 *= r;
            z2 *= r;
            double positive = fmax(v, 0.0), root = sqrt(positive * DT);
            s += (RATE - 0.5 * positive) * DT + root * z1;
            v += KAPPA * (THETA - positive) * DT + XI * root * (RHO * z1 + sqrt(1 - RHO * RHO) * z2);
            if (s > wall) {
                out = 1;
                break;
            }
        }
        if (out == 0)
            paid = fmax(exp(s) - STRIKE, 0.0) * exp(-RATE);
        square = paid * paid;
    }
    for (int d = 16; d > 0; d /= 2) {
        paid += __shfl_down_sync(0xffffffff, paid, d);
        square += __shfl_down_sync(0xffffffff, square, d);
        out += __shfl_down_sync(0xffffffff, out, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[0], paid);
        atomicAdd(&sums[1], square);
        atomicAdd(&sums[2], out);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PATHS >> args.shift;
    double *dsums = device<double>(3), *sums = pinned<double>(3);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dsums, 0, 3 * sizeof(double)));
        price<<<ceiling(n, 128), 128>>>(n, dsums);
        CHECK(cudaMemcpyAsync(sums, dsums, 3 * sizeof(double), cudaMemcpyDeviceToHost));
    });
    double mean = sums[0] / n, deviation = sqrt(sums[1] / n - mean * mean);
    report("heston", best, mean + deviation + sums[2] / n);
    return 0;
}
