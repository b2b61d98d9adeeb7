// Prices of options by Black and Scholes, float, 2^22 of them.
#include "kernels.cuh"

__device__ float normal(float x) { return 0.5f * (1 + erff(x * 0.70710678f)); }

__global__ void price(int n, const float *__restrict__ s, const float *__restrict__ k, const float *__restrict__ t,
                      float *__restrict__ call, float *__restrict__ put)
{
    const float rate = 0.02f, sigma = 0.3f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float root = sigma * sqrtf(t[i]);
    float d1 = (logf(s[i] / k[i]) + (rate + 0.5f * sigma * sigma) * t[i]) / root, d2 = d1 - root;
    float later = k[i] * expf(-rate * t[i]);
    call[i] = s[i] * normal(d1) - later * normal(d2);
    put[i] = later * normal(-d2) - s[i] * normal(-d1);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 22) >> args.shift;
    float *s = NEW(float, n), *k = NEW(float, n), *t = NEW(float, n), *out = NEW(float, n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        s[i] = 5 + 25 * number(3 * i);
        k[i] = 1 + 99 * number(3 * i + 1);
        t[i] = 0.25f + 9.75f * number(3 * i + 2);
    }
    float *ds = on_device(s, n), *dk = on_device(k, n), *dt = on_device(t, n), *dc = device<float>(n),
          *dp = device<float>(n);
    double best = fastest(args.repeats, [&] { price<<<ceiling(n, 256), 256>>>(n, ds, dk, dt, dc, dp); });
    for (float *d : {dc, dp}) {
        to_host(out, d, n);
        SUM(sum, out, n);
    }
    report("black_scholes", best, sum);
    return 0;
}
