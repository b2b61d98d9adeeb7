// A Lomb-Scargle periodogram: 8192 frequencies of 1024 samples at uneven times, float; a thread a frequency.
#include "kernels.cuh"

__global__ void periodogram(int m, int n, const float *__restrict__ time, const float *__restrict__ value, float *__restrict__ power)
{
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= m)
        return;
    float w = 0.01f * (f + 1), yc = 0, ys = 0, cc = 0, cs = 0;
    for (int k = 0; k < n; k++) {
        float c, s;
        sincosf(w * time[k], &s, &c);
        yc += value[k] * c;
        ys += value[k] * s;
        cc += c * c;
        cs += c * s;
    }
    float ss = n - cc, tau = atan2f(2 * cs, cc - ss) / (2 * w), ct, st;
    sincosf(w * tau, &st, &ct);
    float a = ct * yc + st * ys, b = ct * ys - st * yc;
    power[f] = 0.5f * (a * a / (ct * ct * cc + 2 * ct * st * cs + st * st * ss) + b * b / (ct * ct * ss - 2 * ct * st * cs + st * st * cc));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = 8192 >> args.shift, n = 1024;
    float *time = NEW(float, n), *value = NEW(float, n), *power = NEW(float, m);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        time[k] = k * 0.25f + number(k);
        value[k] = sin(1.3 * time[k]) + number(3 * k) - 0.5;
    }
    float *dtime = on_device(time, n), *dvalue = on_device(value, n), *dpower = device<float>(m);
    double best = fastest(args.repeats, [&] { periodogram<<<ceiling(m, 64), 64>>>(m, n, dtime, dvalue, dpower); });
    to_host(power, dpower, m);
    for (int f = 0; f < m; f++)
        sum += power[f] > 10;
    report("lomb", best, sum);
    return 0;
}
