// A radio telescope's search for pulses: 256 channels summed along the delays of 256 dispersions, four dispersions a thread; and the statistics of each.
#include "kernels.cuh"

enum { CHANNELS = 256, TIMES = 16384, MOST = 4096, TRIALS = 256, SAMPLES = TIMES + MOST };

constexpr int THREADS = 256, EACH = 4;

__global__ void sums(int times, const unsigned char *__restrict__ sample, const int *__restrict__ delay, int *__restrict__ power)
{
    __shared__ int shift[EACH][CHANNELS];
    int samples = times + MOST, t = blockIdx.x * THREADS + threadIdx.x, d = blockIdx.y * EACH;
    for (int k = threadIdx.x; k < EACH * CHANNELS; k += THREADS)
        shift[k / CHANNELS][k % CHANNELS] = delay[d * CHANNELS + k];
    __syncthreads();
    if (t >= times)
        return;
    int sum[EACH] = {0};
#pragma unroll 4
    for (int c = 0; c < CHANNELS; c++)
#pragma unroll
        for (int e = 0; e < EACH; e++)
            sum[e] += sample[c * samples + t + shift[e][c]];
#pragma unroll
    for (int e = 0; e < EACH; e++)
        power[(d + e) * times + t] = sum[e];
}

__global__ void statistics(int times, const int *__restrict__ power, double *__restrict__ peak)
{
    __shared__ double sums_[THREADS / 32], squares[THREADS / 32];
    __shared__ int mosts[THREADS / 32];
    int d = blockIdx.x, most = 0;
    double sum = 0, square = 0;
    for (int t = threadIdx.x; t < times; t += THREADS) {
        int v = power[d * times + t];
        sum += v;
        square += (double)v * v;
        most = max(most, v);
    }
    for (int k = 16; k > 0; k /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, k);
        square += __shfl_down_sync(0xffffffff, square, k);
        most = max(most, __shfl_down_sync(0xffffffff, most, k));
    }
    if (threadIdx.x % 32 == 0) {
        sums_[threadIdx.x / 32] = sum;
        squares[threadIdx.x / 32] = square;
        mosts[threadIdx.x / 32] = most;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / 32; k++) {
            sum += sums_[k];
            square += squares[k];
            most = max(most, mosts[k]);
        }
        double mean = sum / times;
        peak[d] = (most - mean) / sqrt(square / times - mean * mean);
    }
}

static void listen(int times, unsigned char *sample, int *delay)
{
    int samples = times + MOST;
    for (int d = 0; d < TRIALS; d++)
        for (int c = 0; c < CHANNELS; c++) {
            double f = 1.5 - 0.4 * c / CHANNELS;
            delay[d * CHANNELS + c] = (int)(d * 40.0 * (1 / (f * f) - 1 / 2.25) + 0.5) % MOST;
        }
    for (int c = 0; c < CHANNELS; c++)
        for (int t = 0; t < samples; t++)
            sample[c * samples + t] = mix(c * samples + t) % 64 + (t == times / 3 + delay[100 * CHANNELS + c] ? 40 : 0);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int times = TIMES >> args.shift, samples = times + MOST, *delay = NEW(int, TRIALS * CHANNELS), *power = NEW(int, TRIALS * times);
    unsigned char *sample = NEW(unsigned char, CHANNELS * samples);
    double *peak = NEW(double, TRIALS), sum = 0;
    listen(times, sample, delay);
    unsigned char *dsample = on_device(sample, CHANNELS * samples);
    int *ddelay = on_device(delay, TRIALS * CHANNELS), *dpower = device<int>(TRIALS * times);
    double *dpeak = device<double>(TRIALS);
    double best = fastest(args.repeats, [&] {
        sums<<<dim3(ceiling(times, THREADS), TRIALS / EACH), THREADS>>>(times, dsample, ddelay, dpower);
        statistics<<<TRIALS, THREADS>>>(times, dpower, dpeak);
    });
    to_host(power, dpower, TRIALS * times);
    to_host(peak, dpeak, TRIALS);
    SUM(sum, peak, TRIALS);
    for (int k = 0; k < TRIALS * times; k++)
        sum += power[k] * 1e-6;
    report("dedisperse", best, sum);
    return 0;
}
