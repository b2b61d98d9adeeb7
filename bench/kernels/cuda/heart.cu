// Twenty steps of the waves of excitation in 1024 x 1024 points of heart tissue, double (Fenton and Karma): a thread a point, a launch a step.
#include "kernels.cuh"

enum { SIDE = 1024, STEPS = 20 };
#define DT 0.05
#define SPREAD 0.1
#define UC 0.13
#define UV 0.04
#define TAU_D 0.25
#define TAU_R 33.0
#define TAU_SI 29.0
#define TAU_0 12.5
#define TAU_V1 1250.0
#define TAU_V2 19.6
#define TAU_VP 3.33
#define TAU_WP 870.0
#define TAU_WM 41.0
#define UCSI 0.85

__global__ void begin(int all, const double *__restrict__ u0, double *__restrict__ u, double *__restrict__ v, double *__restrict__ w)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < all) {
        u[k] = u0[k];
        v[k] = w[k] = 1;
    }
}

__global__ void advance(int n, const double *__restrict__ u, double *__restrict__ next, double *__restrict__ v, double *__restrict__ w)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, at = i * n + j;
    if (i >= n || j >= n)
        return;
    int up = i > 0 ? at - n : at + n, down = i < n - 1 ? at + n : at - n;
    int left = j > 0 ? at - 1 : at + 1, right = j < n - 1 ? at + 1 : at - 1;
    double x = u[at], gate = v[at], slow = w[at];
    double currents = -slow * (1 + tanh(10.0 * (x - UCSI))) * (1 / (2 * TAU_SI));
    if (x >= UC) {
        currents += 1 / TAU_R - gate * (x - UC) * (1 - x) * (1 / TAU_D);
        v[at] = gate - DT / TAU_VP * gate;
        w[at] = slow - DT / TAU_WP * slow;
    } else {
        currents += x * (1 / TAU_0);
        v[at] = gate + (x >= UV ? DT / TAU_V1 : DT / TAU_V2) * (1 - gate);
        w[at] = slow + DT / TAU_WM * (1 - slow);
    }
    next[at] = x + DT * (4 * SPREAD * (u[up] + u[down] + u[left] + u[right] - 4 * x) - currents);
}

static void stimulate(int n, double *u)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i * n + j] = 0.5 * number(i / 16 * 911 + j / 16) + 0.1 * number(i * n + j);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n;
    double *u0 = NEW(double, all), *u = NEW(double, all), *v = NEW(double, all), *w = NEW(double, all), sum = 0;
    stimulate(n, u0);
    double *du0 = on_device(u0, all), *du = device<double>(all), *dnext = device<double>(all), *dv = device<double>(all), *dw = device<double>(all);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] {
        begin<<<ceiling(all, 256), 256>>>(all, du0, du, dv, dw);
        for (int step = 0; step < STEPS; step += 2) {
            advance<<<grid, block>>>(n, du, dnext, dv, dw);
            advance<<<grid, block>>>(n, dnext, du, dv, dw);
        }
    });
    to_host(u, du, all);
    to_host(v, dv, all);
    to_host(w, dw, all);
    SUM(sum, u, all);
    SUM(sum, v, all);
    SUM(sum, w, all);
    report("heart", best, sum);
    return 0;
}
