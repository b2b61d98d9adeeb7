// Infrared radiation in 2048 columns of 64 layers of air for 16 intervals of absorption, double: the radiance down through the layers, back
// up from the ground, and the fluxes of all intervals together at each level.
#include "../kernels.h"

enum { COLUMNS = 2048, LAYERS = 64, LEVELS = LAYERS + 1, INTERVALS = 16 };

#define SLANT 1.66
#define HALF_TURN 3.14159265358979323846

// A layer's source as it leaves towards a level: between those of the layer and of the level.
#define FACTOR(tau, trans) ((tau) > 1e-4 ? (1 - (trans)) / (tau) - (trans) : (tau) * (0.5 - (tau) / 3))

#if SPELLING == 1
// Layers are [interval][layer][column], levels [interval][level][column]; level 0 is the top.
static void radiate(int n, const double *restrict depth, const double *restrict layer, const double *restrict level,
                    const double *restrict emissivity, const double *restrict ground, double *restrict down, double *restrict up,
                    double *restrict flux_down, double *restrict flux_up)
{
    int cells = INTERVALS * LAYERS * n, faces = INTERVALS * LEVELS * n;
#pragma acc parallel loop collapse(2) present(depth[0:cells], layer[0:cells], level[0:faces], emissivity[0:n], ground[0:INTERVALS * n], \
                                                  down[0:faces], up[0:faces])
#pragma omp parallel for collapse(2)
    for (int g = 0; g < INTERVALS; g++)
        for (int c = 0; c < n; c++) {
            double trans[LAYERS], source_up[LAYERS], radiance = 0;
            down[g * LEVELS * n + c] = 0;
            for (int l = 0; l < LAYERS; l++) {
                int cell = (g * LAYERS + l) * n + c, face = (g * LEVELS + l) * n + c;
                double tau = SLANT * depth[cell], t = exp(-tau), f = FACTOR(tau, t);
                trans[l] = t;
                source_up[l] = (1 - t) * level[face] + 2 * f * (layer[cell] - level[face]);
                radiance = t * radiance + (1 - t) * level[face + n] + 2 * f * (layer[cell] - level[face + n]);
                down[face + n] = radiance;
            }
            radiance = radiance * (1 - emissivity[c]) + emissivity[c] * ground[g * n + c];
            up[(g * LEVELS + LAYERS) * n + c] = radiance;
            for (int l = LAYERS - 1; l >= 0; l--) {
                radiance = trans[l] * radiance + source_up[l];
                up[(g * LEVELS + l) * n + c] = radiance;
            }
        }
#pragma acc parallel loop collapse(2) present(down[0:faces], up[0:faces], flux_down[0:LEVELS * n], flux_up[0:LEVELS * n])
#pragma omp parallel for
    for (int l = 0; l < LEVELS; l++)
        for (int c = 0; c < n; c++) {
            double d = 0, u = 0;
            for (int g = 0; g < INTERVALS; g++) {
                d += down[(g * LEVELS + l) * n + c];
                u += up[(g * LEVELS + l) * n + c];
            }
            flux_down[l * n + c] = HALF_TURN * d;
            flux_up[l * n + c] = HALF_TURN * u;
        }
}
#else
struct optics { double trans, f; };

static inline struct optics through(double depth)
{
    struct optics o;
    double tau = SLANT * depth;
    o.trans = exp(-tau);
    o.f = 2 * FACTOR(tau, o.trans);
    return o;
}

static inline void pass(double *radiance, const struct optics *o, double layer, double level)
{
    *radiance *= o->trans;
    *radiance += (1 - o->trans) * level + o->f * (layer - level);
}

static void radiate(long n, double *depth_, double *layer_, double *level_, double *emissivity, double *ground_, double *down_, double *up_,
                    double *flux_down, double *flux_up)
{
    double(*depth)[LAYERS][n] = (double(*)[LAYERS][n])depth_, (*layer)[LAYERS][n] = (double(*)[LAYERS][n])layer_;
    double(*level)[LEVELS][n] = (double(*)[LEVELS][n])level_, (*ground)[n] = (double(*)[n])ground_;
    double(*down)[LEVELS][n] = (double(*)[LEVELS][n])down_, (*up)[LEVELS][n] = (double(*)[LEVELS][n])up_;
#pragma acc data present(depth[0:INTERVALS], layer[0:INTERVALS], level[0:INTERVALS], emissivity[0:n], ground[0:INTERVALS], \
                         down[0:INTERVALS], up[0:INTERVALS], flux_down[0:LEVELS * n], flux_up[0:LEVELS * n])
    {
#pragma acc parallel loop gang vector collapse(2) vector_length(64) async(1)
#pragma omp parallel for collapse(2)
        for (long g = 0; g < INTERVALS; ++g)
            for (long c = 0; c < n; ++c) {
                double radiance = 0;
                long l = 0;
                down[g][0][c] = radiance;
                while (l < LAYERS) {
                    struct optics o = through(depth[g][l][c]);
                    pass(&radiance, &o, layer[g][l][c], level[g][l + 1][c]);
                    down[g][++l][c] = radiance;
                }
                radiance += emissivity[c] * (ground[g][c] - radiance);
                up[g][l][c] = radiance;
                while (l-- > 0) {
                    struct optics o = through(depth[g][l][c]);
                    pass(&radiance, &o, layer[g][l][c], level[g][l][c]);
                    up[g][l][c] = radiance;
                }
            }
#pragma acc parallel loop gang vector async(1)
#pragma omp parallel for
        for (long k = 0; k < LEVELS * n; ++k) {
            double d = 0, u = 0;
            for (const double *p = down_ + k, *q = up_ + k; p < down_ + INTERVALS * LEVELS * n; p += LEVELS * n, q += LEVELS * n) {
                d += *p;
                u += *q;
            }
            flux_down[k] = HALF_TURN * d;
            flux_up[k] = HALF_TURN * u;
        }
    }
#pragma acc wait(1)
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, cells = INTERVALS * LAYERS * n, faces = INTERVALS * LEVELS * n;
    double *depth = NEW(double, cells), *layer = NEW(double, cells), *level = NEW(double, faces), *emissivity = NEW(double, n),
           *ground = NEW(double, INTERVALS * n), *down = NEW(double, faces), *up = NEW(double, faces), *flux_down = NEW(double, LEVELS * n),
           *flux_up = NEW(double, LEVELS * n), sum = 0;
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
#pragma acc enter data copyin(depth[0:cells], layer[0:cells], level[0:faces], emissivity[0:n], ground[0:INTERVALS * n]) \
    create(down[0:faces], up[0:faces], flux_down[0:LEVELS * n], flux_up[0:LEVELS * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        radiate(n, depth, layer, level, emissivity, ground, down, up, flux_down, flux_up);
#pragma acc update self(flux_down[0:LEVELS * n], flux_up[0:LEVELS * n])
    for (int k = 0; k < LEVELS * n; k++)
        sum += flux_up[k] + (1 + k % 3) * flux_down[k];
    report("longwave", t.best, sum);
    return 0;
}
