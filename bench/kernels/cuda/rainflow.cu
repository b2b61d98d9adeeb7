// Fatigue by rainflow counting: 2^16 histories of 256 loads, float, load k of all together: a thread a history, its stack in local memory.
#include "kernels.cuh"

enum { HISTORIES = 1 << 16, LOADS = 256 };

__device__ float harm(float range)
{
    float r2 = range * range;
    return r2 * r2 * range;
}

__global__ void __launch_bounds__(128) count(int n, const float *__restrict__ load, float *__restrict__ damage, int *__restrict__ cycles)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= n)
        return;
    // The upper two are in registers as well.
    float stack[LOADS], a = 0, b = 0, total = 0;
    int top = 0, full = 0;
    float before, x = load[s], after = load[n + s];
    for (int k = 0; k < LOADS; k++) {
        if (k > 0) {
            before = x;
            x = after;
            after = k + 1 < LOADS ? load[(k + 1) * n + s] : 0;
            if (k < LOADS - 1 && (x - before) * (after - x) >= 0)
                continue;
        }
        while (top >= 2) {
            float range = fabsf(b - a);
            if (fabsf(x - b) < range)
                break;
            if (top == 2) {
                total += 0.5f * harm(range);
                stack[0] = b;
                top = 1;
            } else {
                total += harm(range);
                full++;
                top -= 2;
                b = stack[top - 1];
                a = top >= 2 ? stack[top - 2] : 0;
            }
        }
        a = b;
        b = x;
        stack[top++] = x;
    }
    for (int k = 1; k < top; k++)
        total += 0.5f * harm(fabsf(stack[k] - stack[k - 1]));
    damage[s] = total;
    cycles[s] = full;
}

// A slow swing of each history's own, and noise.
static void shake(int n, float *load)
{
    for (int k = 0; k < LOADS; k++)
        for (int s = 0; s < n; s++)
            load[k * n + s] = number(k * n + s) + sin((0.02 + 0.1 * number(s + 5)) * k);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = HISTORIES >> args.shift, all = n * LOADS, *cycles = NEW(int, n);
    float *load = NEW(float, all), *damage = NEW(float, n);
    double sum = 0;
    shake(n, load);
    float *dload = on_device(load, all), *ddamage = device<float>(n);
    int *dcycles = device<int>(n);
    double best = fastest(args.repeats, [&] { count<<<ceiling(n, 128), 128>>>(n, dload, ddamage, dcycles); });
    to_host(damage, ddamage, n);
    to_host(cycles, dcycles, n);
    for (int k = 0; k < n; k++)
        sum += damage[k] * (1 + k % 7) + cycles[k];
    report("rainflow", best, sum);
    return 0;
}
