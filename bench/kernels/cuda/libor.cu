// A portfolio of 15 swaptions in the LIBOR market model by Monte Carlo, float: a thread for each of 2^17 paths of 80 forward rates, its rates in
// local memory, what all paths share in constant memory.
#include "kernels.cuh"

constexpr int RATES = 80, STEPS = 40, OPTIONS = 15;
constexpr float DELTA = 0.25f;

__constant__ float volatility[RATES], swaprates[OPTIONS];
__constant__ int maturities[OPTIONS];

__device__ float deviate(int path, int step)
{
    unsigned h = mix(path * STEPS + step);
    return ((h & 1023) + (h >> 10 & 1023) + (h >> 20 & 1023)) / 512.0f - 3.0f;
}

__global__ void price(int paths, float *__restrict__ values)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= paths)
        return;
    float l[RATES], bonds[STEPS], swaps[STEPS];
    for (int i = 0; i < RATES; i++)
        l[i] = 0.05f;
    for (int n = 0; n < STEPS; n++) {
        float sqez = sqrtf(DELTA) * deviate(p, n), v = 0;
        for (int i = n + 1; i < RATES; i++) {
            float lam = volatility[i - n - 1], con1 = DELTA * lam;
            v += con1 * l[i] / (1.0f + DELTA * l[i]);
            l[i] *= expf(con1 * v + lam * (sqez - 0.5f * con1));
        }
    }
    float b = 1, s = 0, v = 0;
    for (int n = STEPS; n < RATES; n++) {
        b /= 1.0f + DELTA * l[n];
        s += DELTA * b;
        bonds[n - STEPS] = b;
        swaps[n - STEPS] = s;
    }
    for (int i = 0; i < OPTIONS; i++) {
        int m = maturities[i] - 1;
        v += fmaxf(0, -100.0f * (bonds[m] + swaprates[i] * swaps[m] - 1.0f));
    }
    for (int n = 0; n < STEPS; n++)
        v /= 1.0f + DELTA * l[n];
    values[p] = v;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int paths = (1 << 17) >> args.shift;
    float vol[RATES], rates[OPTIONS], *values = NEW(float, paths);
    int ends[OPTIONS] = {4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40};
    double sum = 0;
    for (int k = 0; k < RATES; k++)
        vol[k] = 0.2f + 0.001f * (k % 20);
    for (int k = 0; k < OPTIONS; k++)
        rates[k] = 0.045f + 0.005f * (k % 3);
    CHECK(cudaMemcpyToSymbol(volatility, vol, sizeof vol));
    CHECK(cudaMemcpyToSymbol(swaprates, rates, sizeof rates));
    CHECK(cudaMemcpyToSymbol(maturities, ends, sizeof ends));
    float *dvalues = device<float>(paths);
    double best = fastest(args.repeats, [&] { price<<<ceiling(paths, 128), 128>>>(paths, dvalues); });
    to_host(values, dvalues, paths);
    SUM(sum, values, paths);
    report("libor", best, sum);
    return 0;
}
