// What a bank may lose if its partner fails: exposures of a netting set of 24 swaps at 40 quarters over 2^16 paths (Hull and White),
// double: a thread a path, swaps and what depends on the quarter alone in shared memory, sums of a quarter by warps.
#include "kernels.cuh"

constexpr int PATHS = 1 << 16, QUARTERS = 40, YEARS = 10, SWAPS = 24, THREADS = 128;
constexpr double MEAN = 0.1, SIGMA = 0.012, RATE = 0.03, LIMIT = 6, HAZARD = 0.02, DT = 0.25;

struct swap {
    double notional, fixed;
    int years, start;
};

__global__ void __launch_bounds__(THREADS)
exposures(int paths, double keep, double spread, const swap *__restrict__ all, double *__restrict__ expected,
          double *__restrict__ negative)
{
    __shared__ swap swaps[SWAPS];
    __shared__ double fall[QUARTERS][YEARS + 1], base[QUARTERS][YEARS + 1], drift[QUARTERS];
    __shared__ double up[QUARTERS], down[QUARTERS], bond[YEARS + 1][THREADS], annuity[YEARS + 1][THREADS];
    int p = blockIdx.x * THREADS + threadIdx.x, me = threadIdx.x;
    for (int s = me; s < SWAPS; s += THREADS)
        swaps[s] = all[s];
    for (int k = me; k < QUARTERS * (YEARS + 1); k += THREADS) {
        int q = k / (YEARS + 1), y = k % (YEARS + 1);
        double now = q * DT, variance = SIGMA * SIGMA * (1 - exp(-2 * MEAN * now)) / (2 * MEAN);
        double b = (1 - exp(-MEAN * (y - now))) / MEAN;
        fall[q][y] = b;
        base[q][y] = b * RATE - RATE * (y - now) - 0.5 * variance * b * b;
    }
    for (int q = me; q < QUARTERS; q += THREADS) {
        double b = SIGMA * (1 - exp(-MEAN * q * DT)) / MEAN;
        drift[q] = RATE + 0.5 * b * b;
        up[q] = down[q] = 0;
    }
    __syncthreads();
    double x = 0, discount = 1;
    bond[0][me] = 1;
    annuity[0][me] = 0;
    for (int q = 0; q < QUARTERS; q++) {
        double r = drift[q] + x, sum = 0, value = 0;
        int next = (q + 3) / 4;
        for (int y = 1; y <= YEARS; y++) {
            double b = y < next ? 0 : exp(base[q][y] - fall[q][y] * r);
            bond[y][me] = b;
            sum += b;
            annuity[y][me] = sum;
        }
        for (int s = 0; s < SWAPS; s++) {
            int from = max(swaps[s].start, next), to = swaps[s].years;
            if (from < to)
                value += swaps[s].notional *
                         (bond[from][me] - bond[to][me] - swaps[s].fixed * (annuity[to][me] - annuity[from][me]));
        }
        double a = p < paths ? discount * fmin(LIMIT, fmax(value, 0.0)) : 0, b = p < paths ? discount * fmax(-value, 0.0) : 0;
        for (int d = 16; d > 0; d /= 2) {
            a += __shfl_xor_sync(0xffffffff, a, d);
            b += __shfl_xor_sync(0xffffffff, b, d);
        }
        if (me % 32 == 0) {
            atomicAdd(&up[q], a);
            atomicAdd(&down[q], b);
        }
        discount *= exp(-r * DT);
        unsigned k = 2 * (p * QUARTERS + q);
        double one = (mix(k) + 1.0) / 4294967297.0, two = mix(k + 1) / 4294967296.0;
        x = x * keep + spread * sqrt(-2 * log(one)) * cospi(2 * two);
    }
    __syncthreads();
    for (int q = me; q < QUARTERS; q += THREADS) {
        atomicAdd(&expected[q], up[q]);
        atomicAdd(&negative[q], down[q]);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int paths = PATHS >> args.shift;
    swap swaps[SWAPS];
    double sum = 0, charge = 0, means[2 * QUARTERS];
    double keep = exp(-MEAN * DT), spread = SIGMA * sqrt((1 - exp(-2 * MEAN * DT)) / (2 * MEAN));
    for (int s = 0; s < SWAPS; s++) {
        swaps[s].years = 2 + mix(s) % (YEARS - 1);
        swaps[s].start = mix(s + 100) % 2;
        swaps[s].fixed = 0.02 + 0.02 * number(s);
        swaps[s].notional = (s % 3 ? 10 : -8) * (1 + number(s + 200));
    }
    swap *dswaps = on_device(swaps, SWAPS);
    double *dmeans = device<double>(2 * QUARTERS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dmeans, 0, sizeof means));
        exposures<<<ceiling(paths, THREADS), THREADS>>>(paths, keep, spread, dswaps, dmeans, dmeans + QUARTERS);
        CHECK(cudaMemcpy(means, dmeans, sizeof means, cudaMemcpyDeviceToHost));
        charge = 0;
        for (int q = 0; q < QUARTERS; q++)
            charge += 0.6 * means[q] / paths * (exp(-HAZARD * q * DT) - exp(-HAZARD * (q + 1) * DT));
    });
    for (int q = 0; q < QUARTERS; q++)
        sum += (means[q] + 0.5 * means[QUARTERS + q]) / paths;
    report("exposure", best, sum + charge);
    return 0;
}
