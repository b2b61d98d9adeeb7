// Energy that storms can take from the air of 2^14 columns of 48 levels, double: a block has 32 columns and eight threads for each, one for each level where a
// parcel starts.
#include "kernels.cuh"

enum { COLUMNS = 1 << 14, LEVELS = 48, STARTS = 8, STEPS = 2 };

#define KAPPA 0.2857
#define GAS 287.04
#define VAPOUR 461.5
#define HEAT 1004.0
#define LATENT 2.501e6
#define EPSILON 0.622

constexpr int WIDE = 32;

__device__ double saturated(double p, double t)
{
    double e = 611.2 * exp(17.67 * (t - 273.15) / (t - 29.65));
    return EPSILON * e / (p - e);
}

__device__ double moist(double p, double t)
{
    double r = saturated(p, t), t2 = GAS * t * t;
    return (GAS * t + LATENT * r) * t2 / (p * (HEAT * t2 + LATENT * LATENT * EPSILON * r));
}

__global__ void __launch_bounds__(WIDE *STARTS) lift(int n, const double *__restrict__ p, const double *__restrict__ t, const double *__restrict__ r,
                                                     double *__restrict__ most, double *__restrict__ barrier, int *__restrict__ origin)
{
    __shared__ double energy[STARTS][WIDE], hold[STARTS][WIDE];
    int c = blockIdx.x * WIDE + threadIdx.x, s = threadIdx.y;
    double positive = 0, negative = 0;
    if (c < n) {
        double pressure = p[s * n + c], temperature = t[s * n + c], vapour = r[s * n + c], before = 0;
        bool wet = false, free = false;
        for (int l = s + 1; l < LEVELS; l++) {
            double above = p[l * n + c], around = t[l * n + c], humid = r[l * n + c], part = log(pressure / above);
            if (!wet) {
                double dry = temperature * exp(-KAPPA * part);
                wet = saturated(above, dry) <= vapour;
                if (!wet)
                    temperature = dry;
            }
            if (wet) {
                double step = (above - pressure) / STEPS, now = pressure;
#pragma unroll
                for (int k = 0; k < STEPS; k++) {
                    double k1 = moist(now, temperature), k2 = moist(now + 0.5 * step, temperature + 0.5 * step * k1);
                    double k3 = moist(now + 0.5 * step, temperature + 0.5 * step * k2), k4 = moist(now + step, temperature + step * k3);
                    temperature += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
                    now += step;
                }
                vapour = saturated(above, temperature);
            }
            double inside = temperature * (1 + vapour / EPSILON) / (1 + vapour), outside = around * (1 + humid / EPSILON) / (1 + humid);
            double buoyancy = GAS * (inside - outside), mean = 0.5 * (before + buoyancy) * part;
            if (mean > 0) {
                positive += mean;
                free = true;
            } else if (!free)
                negative -= mean;
            before = buoyancy;
            pressure = above;
        }
    }
    energy[s][threadIdx.x] = positive;
    hold[s][threadIdx.x] = negative;
    __syncthreads();
    if (s == 0 && c < n) {
        int best = 0;
        for (int k = 1; k < STARTS; k++)
            if (energy[k][threadIdx.x] > energy[best][threadIdx.x])
                best = k;
        most[c] = energy[best][threadIdx.x];
        barrier[c] = hold[best][threadIdx.x];
        origin[c] = best;
    }
}

// Warm and humid near the ground, with a lid of warmer air above it and a stratosphere.
static void weather(int n, double *p, double *t, double *r)
{
    for (int c = 0; c < n; c++) {
        double warm = 296 + 8 * number(c), humid = 0.6 + 0.35 * number(c + 1000003), lid = 3 * number(c + 2000003), lapse = 0.0062 + 0.0008 * number(c + 3000017);
        for (int l = 0; l < LEVELS; l++) {
            double height = 150.0 * l + 3.2 * l * l, cool = warm - lapse * height + (l >= 8 && l < 14 ? lid : 0) + 0.2 * number(c * LEVELS + l);
            cool = fmax(cool, 208);
            p[l * n + c] = 1e5 * exp(-height / 7600);
            t[l * n + c] = cool;
            double e = 611.2 * exp(17.67 * (cool - 273.15) / (cool - 29.65));
            r[l * n + c] = humid * exp(-height / 5000) * EPSILON * e / (p[l * n + c] - e);
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, all = n * LEVELS, *origin = NEW(int, n);
    double *p = NEW(double, all), *t = NEW(double, all), *r = NEW(double, all), *most = NEW(double, n), *barrier = NEW(double, n), sum = 0;
    weather(n, p, t, r);
    double *dp = on_device(p, all), *dt = on_device(t, all), *dr = on_device(r, all), *dmost = device<double>(n), *dbarrier = device<double>(n);
    int *dorigin = device<int>(n);
    dim3 block(WIDE, STARTS);
    double best = fastest(args.repeats, [&] { lift<<<ceiling(n, WIDE), block>>>(n, dp, dt, dr, dmost, dbarrier, dorigin); });
    to_host(most, dmost, n);
    to_host(barrier, dbarrier, n);
    to_host(origin, dorigin, n);
    for (int c = 0; c < n; c++)
        sum += most[c] + barrier[c] + 10 * origin[c];
    report("updraft", best, sum);
    return 0;
}
