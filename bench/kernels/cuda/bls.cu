// A search for planets in the light of a star (box least squares): 8192 samples are folded at each of 2048 periods into
// 256 bins in shared memory, a block a period; then a thread tries the boxes from its bin on, the best by shuffles.
#include "kernels.cuh"

constexpr int PERIODS = 2048, SAMPLES = 8192, BINS = 256, SHORTEST = 4, LONGEST = 16;

__global__ void __launch_bounds__(BINS)
    search(int samples, const double *__restrict__ frequency, const double *__restrict__ time,
           const float *__restrict__ weight, const float *__restrict__ light, float *__restrict__ power)
{
    __shared__ float weights[BINS + LONGEST], lights[BINS + LONGEST], parts[BINS / 32];
    int b = threadIdx.x;
    weights[b] = lights[b] = 0;
    __syncthreads();
    double per = frequency[blockIdx.x];
    for (int i = b; i < samples; i += BINS) {
        double phase = time[i] * per;
        int at = (int)((phase - floor(phase)) * BINS);
        float w = weight[i];
        atomicAdd(&weights[at], w);
        atomicAdd(&lights[at], w * light[i]);
    }
    __syncthreads();
    // the first bins once more behind the last one
    if (b < LONGEST) {
        weights[BINS + b] = weights[b];
        lights[BINS + b] = lights[b];
    }
    __syncthreads();
    float r = 0, s = 0, best = 0;
#pragma unroll
    for (int k = 0; k < LONGEST; k++) {
        r += weights[b + k];
        s += lights[b + k];
        if (k + 1 >= SHORTEST && r > 0)
            best = fmaxf(best, s * s / (r * (1 - r)));
    }
    for (int d = 16; d > 0; d /= 2)
        best = fmaxf(best, __shfl_xor_sync(0xffffffff, best, d));
    if (b % 32 == 0)
        parts[b / 32] = best;
    __syncthreads();
    if (b < BINS / 32) {
        best = parts[b];
        for (int d = BINS / 64; d > 0; d /= 2)
            best = fmaxf(best, __shfl_xor_sync((1u << BINS / 32) - 1, best, d));
        if (b == 0)
            power[blockIdx.x] = best;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PERIODS >> args.shift, samples = SAMPLES;
    double *frequency = NEW(double, n), *time = NEW(double, samples), sum = 0, total = 0, mean = 0;
    float *weight = NEW(float, samples), *light = NEW(float, samples), *power = NEW(float, n);
    for (int p = 0; p < n; p++)
        frequency[p] = 0.05 + 0.4 * p / n;
    for (int i = 0; i < samples; i++) {
        double phase, on = 0.02 * i + 0.004 * number(i);
        time[i] = on;
        weight[i] = 0.5 + number(3 * i);
        phase = on * 0.2273 - floor(on * 0.2273);
        light[i] = 0.2 * (number(3 * i + 1) + number(3 * i + 2) - 1) - (phase > 0.4 && phase < 0.43 ? 0.3 : 0);
        total += weight[i];
        mean += weight[i] * light[i];
    }
    for (int i = 0; i < samples; i++) {
        weight[i] /= total;
        light[i] -= mean / total;
    }
    double *dfrequency = on_device(frequency, n), *dtime = on_device(time, samples);
    float *dweight = on_device(weight, samples), *dlight = on_device(light, samples), *dpower = device<float>(n);
    double best =
        fastest(args.repeats, [&] { search<<<n, BINS>>>(samples, dfrequency, dtime, dweight, dlight, dpower); });
    to_host(power, dpower, n);
    SUM(sum, power, n);
    report("bls", best, 1000 * sum);
    return 0;
}
