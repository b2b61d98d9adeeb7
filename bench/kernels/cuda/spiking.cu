// 32 milliseconds of 2^17 neurons (Izhikevich), double: a launch a step; lanes of a warp advance a neuron each, then all of them deliver for each that fired.
#include "kernels.cuh"

enum { NEURONS = 1 << 17, SYNAPSES = 64, STEPS = 32, UNIT = 256, THREADS = 128 };

__global__ void reset(int n, const double *__restrict__ b, double *__restrict__ v, double *__restrict__ u, int *__restrict__ current, int *__restrict__ next,
                      int *__restrict__ spikes)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        v[i] = -65;
        u[i] = -65 * b[i];
        current[i] = next[i] = spikes[i] = 0;
    }
}

__global__ void advance(int n, int step, const double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c, const double *__restrict__ d,
                        const int2 *__restrict__ synapses, double *__restrict__ v, double *__restrict__ u, int *__restrict__ current, int *__restrict__ next,
                        int *__restrict__ spikes)
{
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32;
    bool fired = false;
    if (i < n) {
        double in = (mix(step * n + i) & 0xffff) * (16.0 / 65536) + current[i] * (1.0 / UNIT), p = v[i], r = u[i];
        p += 0.5 * (0.04 * p * p + 5 * p + 140 - r + in);
        p += 0.5 * (0.04 * p * p + 5 * p + 140 - r + in);
        r += a[i] * (b[i] * p - r);
        fired = p >= 30;
        if (fired) {
            p = c[i];
            r += d[i];
            spikes[i]++;
        }
        v[i] = p;
        u[i] = r;
        current[i] = 0;
    }
    for (unsigned left = __ballot_sync(0xffffffff, fired); left; left &= left - 1) {
        const int2 *from = synapses + (i - lane + __ffs(left) - 1) * SYNAPSES;
#pragma unroll
        for (int k = lane; k < SYNAPSES; k += 32) {
            int2 s = from[k];
            atomicAdd(&next[s.x], s.y);
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = NEURONS >> args.shift, *spikes = NEW(int, n);
    double *a = NEW(double, n), *b = NEW(double, n), *c = NEW(double, n), *d = NEW(double, n), *v = NEW(double, n), sum = 0;
    int2 *synapses = NEW(int2, n * SYNAPSES);
    for (int i = 0; i < n; i++) {
        double r = number(i + 123);
        int calm = i % 5 == 4;
        a[i] = calm ? 0.02 + 0.08 * r : 0.02;
        b[i] = calm ? 0.25 - 0.05 * r : 0.2;
        c[i] = calm ? -65 : -65 + 15 * r * r;
        d[i] = calm ? 2 : 8 - 6 * r * r;
        for (int k = 0; k < SYNAPSES; k++) {
            int strength = mix(i * SYNAPSES + k + 1234567) % (calm ? 1024 : 512);
            synapses[i * SYNAPSES + k] = make_int2(mix(i * SYNAPSES + k) % n, calm ? -strength : strength);
        }
    }
    double *da = on_device(a, n), *db = on_device(b, n), *dc = on_device(c, n), *dd = on_device(d, n), *dv = device<double>(n), *du = device<double>(n);
    int2 *dsynapses = on_device(synapses, n * SYNAPSES);
    int *dcurrent[2] = {device<int>(n), device<int>(n)}, *dspikes = device<int>(n);
    double best = fastest(args.repeats, [&] {
        reset<<<ceiling(n, THREADS), THREADS>>>(n, db, dv, du, dcurrent[0], dcurrent[1], dspikes);
        for (int step = 0; step < STEPS; step++)
            advance<<<ceiling(n, THREADS), THREADS>>>(n, step, da, db, dc, dd, dsynapses, dv, du, dcurrent[step % 2], dcurrent[(step + 1) % 2], dspikes);
    });
    to_host(spikes, dspikes, n);
    to_host(v, dv, n);
    for (int i = 0; i < n; i++)
        sum += spikes[i] * (1 + i % 3) - v[i];
    report("spiking", best, sum);
    return 0;
}
