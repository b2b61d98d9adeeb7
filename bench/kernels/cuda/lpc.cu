// Linear prediction of 8192 frames of 512 samples that overlap by half: a block a frame, samples in shared memory, a warp an
// autocorrelation, and Durbin's recursion by one thread.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int FRAMES = 8192, LENGTH = 512, HOP = 256, ORDER = 16, THREADS = 128;

__global__ void predict(const float *__restrict__ signal, const float *__restrict__ window, float *__restrict__ out)
{
    __shared__ float x[LENGTH];
    __shared__ double r[ORDER + 1];
    int f = blockIdx.x, lane = threadIdx.x % 32;
    for (int k = threadIdx.x; k < LENGTH; k += THREADS)
        x[k] = signal[f * HOP + k] * window[k];
    __syncthreads();
    for (int lag = threadIdx.x / 32; lag <= ORDER; lag += THREADS / 32) {
        double sum = 0;
        for (int k = lag + lane; k < LENGTH; k += 32)
            sum += (double)x[k] * x[k - lag];
        sum = warp_reduce(sum, [](double p, double q) { return p + q; });
        if (lane == 0)
            r[lag] = sum;
    }
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    double a[ORDER + 1], error = r[0];
#pragma unroll
    for (int i = 1; i <= ORDER; i++) {
        double k = r[i];
#pragma unroll
        for (int j = 1; j < i; j++)
            k += a[j] * r[i - j];
        k = -k / error;
        a[i] = k;
#pragma unroll
        for (int j = 1; j <= i / 2; j++) {
            double low = a[j] + k * a[i - j];
            a[i - j] += k * a[j];
            a[j] = low;
        }
        error *= 1 - k * k;
    }
    out[f * (ORDER + 1)] = error;
#pragma unroll
    for (int i = 1; i <= ORDER; i++)
        out[f * (ORDER + 1) + i] = a[i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int frames = FRAMES >> args.shift, n = frames * HOP + LENGTH - HOP, all = frames * (ORDER + 1);
    float *signal = NEW(float, n), *window = NEW(float, LENGTH), *out = NEW(float, all);
    double sum = 0;
    for (int k = 0; k < n; k++)
        signal[k] = sinf(0.05f * (k % 5000)) + (float)number(k) - 0.5f;
    for (int k = 0; k < LENGTH; k++)
        window[k] = 0.54f - 0.46f * cosf(6.2831853f * k / (LENGTH - 1));
    float *dsignal = on_device(signal, n), *dwindow = on_device(window, LENGTH), *dout = device<float>(all);
    double best = fastest(args.repeats, [&] { predict<<<frames, THREADS>>>(dsignal, dwindow, dout); });
    to_host(out, dout, all);
    for (int k = 0; k < all; k++)
        sum += fabs(out[k]);
    report("lpc", best, sum);
    return 0;
}
