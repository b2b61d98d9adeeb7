// Ten minutes of water in 2^16 columns of soil of 40 layers, double: a thread a column; the elimination follows the
// formulas of the next layer in one loop, so that only heads, moistures and the system's two columns are in local
// memory.
#include "kernels.cuh"

constexpr int COLUMNS = 1 << 16, LAYERS = 40, ITERATIONS = 3;
constexpr double THICK = 0.05, SPAN = 600, POROSITY = 0.4, RESIDUE = 0.05;

__device__ void retain(double alpha, double power, double m, double saturated, double head, double &water,
                       double &capacity, double &conductivity)
{
    water = POROSITY;
    capacity = 1e-6;
    conductivity = saturated;
    if (head < 0) {
        double x = pow(-alpha * head, power), full = pow(1 + x, -m), rest = 1 - pow(x / (1 + x), m);
        water = RESIDUE + (POROSITY - RESIDUE) * full;
        capacity = (POROSITY - RESIDUE) * m * power * x * full / (-head * (1 + x));
        conductivity = saturated * sqrt(full) * rest * rest;
    }
}

__global__ void __launch_bounds__(64)
    infiltrate(int n, const double *__restrict__ alphas, const double *__restrict__ powers,
               const double *__restrict__ saturateds, const double *__restrict__ rain, const double *__restrict__ start,
               double *__restrict__ head, double *__restrict__ drained)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    double h[LAYERS], before[LAYERS], upper[LAYERS], right[LAYERS], k = 0;
    double alpha = alphas[c], power = powers[c], saturated = saturateds[c], m = 1 - 1 / power, top = rain[c];
    for (int l = 0; l < LAYERS; l++)
        h[l] = start[l * n + c];
    for (int turn = 0; turn < ITERATIONS; turn++) {
        double water, capacity, in = top, link = 0, last_upper = 0, last_right = 0;
        retain(alpha, power, m, saturated, h[0], water, capacity, k);
        for (int l = 0; l < LAYERS; l++) {
            double out = k, next = 0, next_water = 0, next_capacity = 0, next_k = k;
            if (l < LAYERS - 1) {
                retain(alpha, power, m, saturated, h[l + 1], next_water, next_capacity, next_k);
                next = 0.5 * (k + next_k);
                out = next * (1 - (h[l + 1] - h[l]) * (1 / THICK));
                next *= 1 / (THICK * THICK);
            }
            if (turn == 0)
                before[l] = water;
            double d = 1 / (capacity * (1 / SPAN) + link + next + link * last_upper);
            double r = (in - out) * (1 / THICK) - (water - before[l]) * (1 / SPAN) + link * last_right;
            upper[l] = last_upper = -next * d;
            right[l] = last_right = r * d;
            link = next;
            in = out;
            water = next_water;
            capacity = next_capacity;
            k = next_k;
        }
        double below = 0;
        for (int l = LAYERS - 1; l >= 0; l--) {
            below = right[l] - upper[l] * below;
            h[l] += below;
        }
    }
    for (int l = 0; l < LAYERS; l++)
        head[l * n + c] = h[l];
    drained[c] = k * SPAN;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, all = n * LAYERS;
    double *alpha = NEW(double, n), *power = NEW(double, n), *saturated = NEW(double, n), *rain = NEW(double, n);
    double *start = NEW(double, all), *head = NEW(double, all), *drained = NEW(double, n), sum = 0;
    for (int c = 0; c < n; c++) {
        alpha[c] = 1 + 3 * number(4 * c);
        power[c] = 1.3 + number(4 * c + 1);
        saturated[c] = 1e-6 + 9e-6 * number(4 * c + 2);
        rain[c] = 4e-6 * number(4 * c + 3);
        for (int l = 0; l < LAYERS; l++)
            start[l * n + c] = -2 + 1.7 * l / LAYERS * number(c + 77) - 0.1 * number(l * n + c);
    }
    double *dalpha = on_device(alpha, n), *dpower = on_device(power, n), *dsaturated = on_device(saturated, n);
    double *drain = on_device(rain, n), *dstart = on_device(start, all), *dhead = device<double>(all);
    double *ddrained = device<double>(n);
    double best = fastest(args.repeats, [&] {
        infiltrate<<<ceiling(n, 64), 64>>>(n, dalpha, dpower, dsaturated, drain, dstart, dhead, ddrained);
    });
    to_host(head, dhead, all);
    to_host(drained, ddrained, n);
    for (int k = 0; k < all; k++)
        sum += fabs(head[k]);
    for (int c = 0; c < n; c++)
        sum += drained[c] * 100;
    report("richards", best, sum);
    return 0;
}
