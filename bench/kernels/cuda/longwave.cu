// Infrared radiation in 2048 columns of 64 layers of air for 16 intervals of absorption, double; a thread a column and interval, its
// layers' transmissions in an array of its own, then a thread a level and column for the sums.
#include "kernels.cuh"

constexpr int COLUMNS = 2048, LAYERS = 64, LEVELS = LAYERS + 1, INTERVALS = 16;
constexpr double SLANT = 1.66, HALF_TURN = 3.14159265358979323846;

__global__ void transport(int n, const double *__restrict__ depth, const double *__restrict__ layer, const double *__restrict__ level,
                          const double *__restrict__ emissivity, const double *__restrict__ ground, double *__restrict__ down,
                          double *__restrict__ up)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, g = blockIdx.y;
    if (c >= n)
        return;
    double trans[LAYERS], source_up[LAYERS], radiance = 0, above = level[g * LEVELS * n + c];
    down[g * LEVELS * n + c] = 0;
    for (int l = 0; l < LAYERS; l++) {
        int cell = (g * LAYERS + l) * n + c, face = (g * LEVELS + l) * n + c;
        double tau = SLANT * depth[cell], t = exp(-tau), f = tau > 1e-4 ? (1 - t) / tau - t : tau * (0.5 - tau / 3);
        double below = level[face + n], own = layer[cell];
        trans[l] = t;
        source_up[l] = (1 - t) * above + 2 * f * (own - above);
        radiance = t * radiance + (1 - t) * below + 2 * f * (own - below);
        down[face + n] = radiance;
        above = below;
    }
    radiance = radiance * (1 - emissivity[c]) + emissivity[c] * ground[g * n + c];
    up[(g * LEVELS + LAYERS) * n + c] = radiance;
    for (int l = LAYERS - 1; l >= 0; l--) {
        radiance = trans[l] * radiance + source_up[l];
        up[(g * LEVELS + l) * n + c] = radiance;
    }
}

__global__ void together(int each, const double *__restrict__ down, const double *__restrict__ up, double *__restrict__ flux_down,
                         double *__restrict__ flux_up)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= each)
        return;
    double d = 0, u = 0;
#pragma unroll
    for (int g = 0; g < INTERVALS; g++) {
        d += down[g * each + k];
        u += up[g * each + k];
    }
    flux_down[k] = HALF_TURN * d;
    flux_up[k] = HALF_TURN * u;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, cells = INTERVALS * LAYERS * n, faces = INTERVALS * LEVELS * n;
    double *depth = NEW(double, cells), *layer = NEW(double, cells), *level = NEW(double, faces), *emissivity = NEW(double, n),
           *ground = NEW(double, INTERVALS * n), *flux_down = NEW(double, LEVELS * n), *flux_up = NEW(double, LEVELS * n), sum = 0;
    for (int k = 0; k < cells; k++) {
        int l = k / n % LAYERS, g = k / n / LAYERS;
        depth[k] = exp2(g - 14.0) * (1 + l) * 0.1 * (0.5 + number(k));
        layer[k] = (1 + 0.02 * l) * (0.9 + 0.2 * number(k + 1)) / INTERVALS;
    }
    for (int k = 0; k < faces; k++)
        level[k] = (0.99 + 0.02 * (k / n % LEVELS)) * (0.9 + 0.2 * number(k + 2)) / INTERVALS;
    for (int c = 0; c < n; c++)
        emissivity[c] = 0.9 + 0.1 * number(c);
    FILL(ground, INTERVALS * n, 0.3);
    double *ddepth = on_device(depth, cells), *dlayer = on_device(layer, cells), *dlevel = on_device(level, faces),
           *demissivity = on_device(emissivity, n), *dground = on_device(ground, INTERVALS * n), *down = device<double>(faces),
           *up = device<double>(faces), *dd = device<double>(LEVELS * n), *du = device<double>(LEVELS * n);
    double best = fastest(args.repeats, [&] {
        transport<<<dim3(ceiling(n, 128), INTERVALS), 128>>>(n, ddepth, dlayer, dlevel, demissivity, dground, down, up);
        together<<<ceiling(LEVELS * n, 128), 128>>>(LEVELS * n, down, up, dd, du);
    });
    to_host(flux_down, dd, LEVELS * n);
    to_host(flux_up, du, LEVELS * n);
    for (int k = 0; k < LEVELS * n; k++)
        sum += flux_up[k] + (1 + k % 3) * flux_down[k];
    report("longwave", best, sum);
    return 0;
}
