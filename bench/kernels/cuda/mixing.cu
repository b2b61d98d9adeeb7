// Vertical mixing in 512 x 256 columns of an ocean of up to 40 layers, double: a thread a column, which finds viscosity and diffusivity on its
// way down, eliminates at once and keeps only the factors of the way back.
#include "kernels.cuh"

constexpr int EAST = 512, NORTH = 256, LAYERS = 40, THREADS = 64;
constexpr double GRAVITY = 9.81, WATER = 1026, TIME_STEP = 3600, DRAG = 1.3e-3;

struct water { double u, v, t, s; };

__device__ double density(const water &w)
{
    double d = w.t - 10, e = w.s - 35;
    return WATER - 0.167 * d - 0.0048 * d * d + 0.78 * e - 0.002 * d * e;
}

__global__ void __launch_bounds__(THREADS) mix_columns(int columns, const int *__restrict__ bottom, const double *__restrict__ dz,
                                                       const double *__restrict__ u, const double *__restrict__ v, const double *__restrict__ t,
                                                       const double *__restrict__ s, const double *__restrict__ wind,
                                                       const double *__restrict__ heat, const double *__restrict__ rain, double *__restrict__ un,
                                                       double *__restrict__ vn, double *__restrict__ tn, double *__restrict__ sn)
{
    __shared__ double thick[LAYERS];
    if (threadIdx.x < LAYERS)
        thick[threadIdx.x] = dz[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= columns)
        return;
    double2 c[LAYERS];
    int n = bottom[i], place = i;
    if (n > 0) {
        double by = TIME_STEP / thick[0], am = 0, at = 0, cm = 0, ct = 0, rho;
        water here = {u[i], v[i], t[i], s[i]}, x = {0, 0, 0, 0};
        water r = {here.u + by * wind[i] / WATER, here.v + by * wind[columns + i] / WATER, here.t + by * heat[i] / (WATER * 3990),
                   here.s - by * rain[i] * 35};
        rho = density(here);
        for (int k = 0; k < n; k++, place += columns) {
            double bm = 1 + am, bt = 1 + at, em = 0, et = 0, next_am = 0, next_at = 0;
            water below = here;
            if (k < n - 1) {
                int p = place + columns;
                below = {u[p], v[p], t[p], s[p]};
                double w = 0.5 * (thick[k] + thick[k + 1]), one = 1 / w, du = here.u - below.u, dv = here.v - below.v, lower = density(below);
                double ri = GRAVITY / WATER * (lower - rho) * one / ((du * du + dv * dv) * one * one + 1e-10), visc = 1e-2, diff = 5e-2;
                rho = lower;
                if (ri >= 0) {
                    double f = 1 / (1 + 5 * ri);
                    visc = 5e-3 * f * f + 1e-4;
                    diff = visc * f + 1e-5;
                }
                double up = TIME_STEP * one / thick[k], down = TIME_STEP * one / thick[k + 1];
                em = up * visc;
                et = up * diff;
                next_am = down * visc;
                next_at = down * diff;
            } else
                bm += TIME_STEP / thick[k] * DRAG * sqrt(here.u * here.u + here.v * here.v);
            double pm = 1 / (bm + em - am * cm), pt = 1 / (bt + et - at * ct);
            cm = em * pm;
            ct = et * pt;
            c[k] = make_double2(cm, ct);
            x = {(r.u + am * x.u) * pm, (r.v + am * x.v) * pm, (r.t + at * x.t) * pt, (r.s + at * x.s) * pt};
            un[place] = x.u;
            vn[place] = x.v;
            tn[place] = x.t;
            sn[place] = x.s;
            r = here = below;
            am = next_am;
            at = next_at;
        }
        int p = place - columns;
        for (int k = n - 2; k >= 0; k--) {
            p -= columns;
            x = {un[p] + c[k].x * x.u, vn[p] + c[k].x * x.v, tn[p] + c[k].y * x.t, sn[p] + c[k].y * x.s};
            un[p] = x.u;
            vn[p] = x.v;
            tn[p] = x.t;
            sn[p] = x.s;
        }
    }
    for (int k = n; k < LAYERS; k++, place += columns)
        un[place] = vn[place] = tn[place] = sn[place] = 0;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int nx = EAST >> (args.shift + 1) / 2, ny = NORTH >> args.shift / 2, columns = nx * ny, all = LAYERS * columns;
    int *bottom = NEW(int, columns);
    double *dz = NEW(double, LAYERS), *wind = NEW(double, 2 * columns), *heat = NEW(double, columns), *rain = NEW(double, columns);
    double *u = NEW(double, all), *v = NEW(double, all), *t = NEW(double, all), *s = NEW(double, all);
    double *un = NEW(double, all), *vn = NEW(double, all), *tn = NEW(double, all), *sn = NEW(double, all), depth = 0, sum = 0;
    for (int i = 0; i < columns; i++) {
        double hill = sin(6.3 * (i % nx) / nx) * cos(4.7 * (i / nx) / ny);
        bottom[i] = hill > 0.8 ? 0 : hill > 0.2 ? LAYERS - (int)(50 * (hill - 0.2)) : LAYERS;
        wind[i] = 0.3 * (number(i) - 0.3);
        wind[columns + i] = 0.2 * (number(i + columns) - 0.5);
        heat[i] = 400 * (number(i + 7) - 0.5);
        rain[i] = 2e-7 * (number(i + 11) - 0.5);
    }
    for (int k = 0; k < LAYERS; k++) {
        dz[k] = 5 + 0.12 * k * k;
        for (int i = 0; i < columns; i++) {
            int e = k * columns + i;
            u[e] = 0.5 * exp(-depth / 200) * (number(e) - 0.4);
            v[e] = 0.4 * exp(-depth / 200) * (number(e + 1) - 0.5);
            t[e] = 3 + 20 * exp(-depth / 400) + 0.8 * exp(-depth / 100) * number(e + 2);
            s[e] = 34.5 + 0.5 * exp(-depth / 300) + 0.1 * number(e + 3);
        }
        depth += dz[k];
    }
    int *dbottom = on_device(bottom, columns);
    double *ddz = on_device(dz, LAYERS), *dwind = on_device(wind, 2 * columns), *dheat = on_device(heat, columns), *drain = on_device(rain, columns);
    double *du = on_device(u, all), *dv = on_device(v, all), *dt = on_device(t, all), *ds = on_device(s, all);
    double *dun = device<double>(all), *dvn = device<double>(all), *dtn = device<double>(all), *dsn = device<double>(all);
    double best = fastest(args.repeats, [&] {
        mix_columns<<<ceiling(columns, THREADS), THREADS>>>(columns, dbottom, ddz, du, dv, dt, ds, dwind, dheat, drain, dun, dvn, dtn, dsn);
    });
    to_host(un, dun, all);
    to_host(vn, dvn, all);
    to_host(tn, dtn, all);
    to_host(sn, dsn, all);
    for (int k = 0; k < all; k++)
        sum += fabs(un[k]) + fabs(vn[k]) + fabs(tn[k]) + fabs(sn[k]);
    report("mixing", best, sum);
    return 0;
}
