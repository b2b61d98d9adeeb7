// A step of a tracer in an ocean of 256 x 256 x 32 cells, double, by flux-corrected transport (Zalesak) in three kernels, a thread a cell, that compute the
// fluxes through a cell's faces anew.
#include "kernels.cuh"

enum { LENGTH = 256, DEPTH = 32 };
#define SMALL 1e-15

constexpr int WIDE = 64, HIGH = 4;

__device__ double upstream(double speed, double here, double there) { return speed * (speed > 0 ? here : there); }

__device__ double lacking(double speed, double here, double there) { return 0.5 * fabs(speed) * (there - here); }

__device__ double limited(double flux, double in, double out, double in_next, double out_next)
{
    return flux * fmin(1.0, flux > 0 ? fmin(out, in_next) : fmin(in, out_next));
}

__global__ void __launch_bounds__(WIDE *HIGH) first(int nx, int ny, int nz, const double *__restrict__ t, const double *__restrict__ u,
                                                    const double *__restrict__ v, const double *__restrict__ w, double *__restrict__ up)
{
    int i = blockIdx.x * WIDE + threadIdx.x, j = blockIdx.y * HIGH + threadIdx.y, k = blockIdx.z, dy = nx, dz = nx * ny, at = k * dz + j * dy + i;
    if (i >= nx || j >= ny)
        return;
    double here = t[at], sum = 0;
    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1)
        sum = upstream(u[at], here, t[at + 1]) - upstream(u[at - 1], t[at - 1], here) + upstream(v[at], here, t[at + dy]) -
              upstream(v[at - dy], t[at - dy], here) + upstream(w[at], here, t[at + dz]) - upstream(w[at - dz], t[at - dz], here);
    up[at] = here - sum;
}

__global__ void __launch_bounds__(WIDE *HIGH) bounds(int nx, int ny, const double *__restrict__ t, const double *__restrict__ u, const double *__restrict__ v,
                                                     const double *__restrict__ w, const double *__restrict__ up, double *__restrict__ in,
                                                     double *__restrict__ out)
{
    int i = blockIdx.x * WIDE + threadIdx.x + 1, j = blockIdx.y * HIGH + threadIdx.y + 1, k = blockIdx.z + 1, dy = nx, dz = nx * ny, at = k * dz + j * dy + i;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    double here = t[at], value = up[at], high = fmax(here, value), low = fmin(here, value), comes = SMALL, goes = SMALL;
    const double *speeds[3] = {u, v, w};
    int steps[3] = {1, dy, dz};
#pragma unroll
    for (int d = 0; d < 3; d++) {
        int before = at - steps[d], after = at + steps[d];
        double a = t[before], b = up[before], c = t[after], e = up[after];
        high = fmax(high, fmax(fmax(a, b), fmax(c, e)));
        low = fmin(low, fmin(fmin(a, b), fmin(c, e)));
        double left = lacking(speeds[d][before], a, here), right = lacking(speeds[d][at], here, c);
        comes += fmax(0.0, left) - fmin(0.0, right);
        goes += fmax(0.0, right) - fmin(0.0, left);
    }
    in[at] = (high - value) / comes;
    out[at] = (value - low) / goes;
}

__global__ void __launch_bounds__(WIDE *HIGH) correct(int nx, int ny, const double *__restrict__ t, const double *__restrict__ u, const double *__restrict__ v,
                                                      const double *__restrict__ w, const double *__restrict__ up, const double *__restrict__ in,
                                                      const double *__restrict__ out, double *__restrict__ next)
{
    int i = blockIdx.x * WIDE + threadIdx.x + 1, j = blockIdx.y * HIGH + threadIdx.y + 1, k = blockIdx.z + 1, dy = nx, dz = nx * ny, at = k * dz + j * dy + i;
    if (i >= nx - 1 || j >= ny - 1)
        return;
    double here = t[at], value = up[at], my_in = in[at], my_out = out[at];
    const double *speeds[3] = {u, v, w};
    int steps[3] = {1, dy, dz};
#pragma unroll
    for (int d = 0; d < 3; d++) {
        int before = at - steps[d], after = at + steps[d];
        value -= limited(lacking(speeds[d][at], here, t[after]), my_in, my_out, in[after], out[after]);
        value += limited(lacking(speeds[d][before], t[before], here), in[before], out[before], my_in, my_out);
    }
    next[at] = value;
}

static void ocean(int nx, int ny, int nz, double *t, double *u, double *v, double *w)
{
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                int at = (k * ny + j) * nx + i, wet = i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1;
                t[at] = 4 + (i / 8 + j / 8 + k / 4) % 3 * 5 + number(at);
                u[at] = wet && i < nx - 2 ? 0.3 * (number(at + 11) - 0.4) : 0;
                v[at] = wet && j < ny - 2 ? 0.3 * (number(at + 12) - 0.5) : 0;
                w[at] = wet && k < nz - 2 ? 0.2 * (number(at + 13) - 0.6) : 0;
            }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int nx = LENGTH >> args.shift / 2, ny = LENGTH >> (args.shift + 1) / 2, nz = DEPTH, all = nx * ny * nz;
    double *t = NEW(double, all), *u = NEW(double, all), *v = NEW(double, all), *w = NEW(double, all), *next = NEW(double, all), sum = 0;
    ocean(nx, ny, nz, t, u, v, w);
    FILL(next, all, 0);
    double *dt = on_device(t, all), *du = on_device(u, all), *dv = on_device(v, all), *dw = on_device(w, all), *dup = device<double>(all),
           *din = on_device(next, all), *dout = on_device(next, all), *dnext = on_device(next, all);
    dim3 block(WIDE, HIGH), whole(ceiling(nx, WIDE), ceiling(ny, HIGH), nz), inner(ceiling(nx - 2, WIDE), ceiling(ny - 2, HIGH), nz - 2);
    double best = fastest(args.repeats, [&] {
        first<<<whole, block>>>(nx, ny, nz, dt, du, dv, dw, dup);
        bounds<<<inner, block>>>(nx, ny, dt, du, dv, dw, dup, din, dout);
        correct<<<inner, block>>>(nx, ny, dt, du, dv, dw, dup, din, dout, dnext);
    });
    to_host(next, dnext, all);
    for (int k = 0; k < all; k++)
        sum += next[k] * (1 + k % 5);
    report("zalesak", best, sum);
    return 0;
}
