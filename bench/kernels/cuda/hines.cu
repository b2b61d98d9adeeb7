// Four steps of 2^14 neurons of 64 compartments each, double: a thread a compartment for the gates; then a thread a cell, with the
// diagonal and the right side of its tree in shared memory.
#include "kernels.cuh"

constexpr int CELLS = 1 << 14, PARTS = 64, STEPS = 4, THREADS = 32;
constexpr double DT = 0.025, CAPACITY = 1, SODIUM = 120, POTASSIUM = 36, LEAK = 0.3;

__constant__ int parents[PARTS];

__global__ void begin(int all, const double *__restrict__ start, double *__restrict__ v, double *__restrict__ m,
                      double *__restrict__ h, double *__restrict__ g)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < all) {
        v[k] = start[k];
        m[k] = 0.05;
        h[k] = 0.6;
        g[k] = 0.32;
    }
}

__device__ double ratio(double x) { return fabs(x) < 1e-6 ? 10 : x / (1 - exp(-0.1 * x)); }

__device__ double relaxed(double gate, double alpha, double beta)
{
    double rate = alpha + beta;
    return gate + (alpha / rate - gate) * (1 - exp(-DT * rate));
}

__global__ void currents(int all, const double *__restrict__ v, double *__restrict__ m, double *__restrict__ h,
                         double *__restrict__ g, double *__restrict__ d, double *__restrict__ rhs)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= all)
        return;
    double u = v[k];
    double sm = relaxed(m[k], 0.1 * ratio(u + 40), 4 * exp((u + 65) * (-1.0 / 18)));
    double sh = relaxed(h[k], 0.07 * exp((u + 65) * (-1.0 / 20)), 1 / (1 + exp((u + 35) * -0.1)));
    double sn = relaxed(g[k], 0.01 * ratio(u + 55), 0.125 * exp((u + 65) * (-1.0 / 80)));
    m[k] = sm;
    h[k] = sh;
    g[k] = sn;
    double na = SODIUM * sm * sm * sm * sh, ka = POTASSIUM * (sn * sn) * (sn * sn);
    d[k] = CAPACITY / DT + na + ka + LEAK;
    rhs[k] = -(na * (u - 50) + ka * (u + 77) + LEAK * (u + 54.3));
}

__global__ void __launch_bounds__(THREADS)
solve(int n, const double *__restrict__ axial, const double *__restrict__ current, const double *__restrict__ d,
      const double *__restrict__ rhs, double *__restrict__ v)
{
    __shared__ double sd[PARTS][THREADS], sr[PARTS][THREADS], sv[PARTS][THREADS];
    int t = threadIdx.x, c = blockIdx.x * THREADS + t;
    if (c >= n)
        return;
#pragma unroll 8
    for (int k = 0; k < PARTS; k++) {
        sd[k][t] = d[k * n + c];
        sr[k][t] = rhs[k * n + c];
        sv[k][t] = v[k * n + c];
    }
    sr[0][t] += current[c];
    for (int k = 1; k < PARTS; k++) {
        int p = parents[k];
        double a = axial[k * n + c], flow = a * (sv[k][t] - sv[p][t]);
        sd[k][t] += a;
        sd[p][t] += a;
        sr[k][t] -= flow;
        sr[p][t] += flow;
    }
    for (int k = PARTS - 1; k > 0; k--) {
        int p = parents[k];
        double a = axial[k * n + c], f = a / sd[k][t];
        sd[p][t] -= f * a;
        sr[p][t] += f * sr[k][t];
    }
    double x = sr[0][t] / sd[0][t];
    sr[0][t] = x;
    v[c] = sv[0][t] + x;
    for (int k = 1; k < PARTS; k++) {
        x = (sr[k][t] + axial[k * n + c] * sr[parents[k]][t]) / sd[k][t];
        sr[k][t] = x;
        v[k * n + c] = sv[k][t] + x;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CELLS >> args.shift, all = n * PARTS, parent[PARTS];
    double *axial = NEW(double, all), *start = NEW(double, all), *current = NEW(double, n), *v = NEW(double, all), sum = 0;
    for (int k = 0; k < PARTS; k++)
        parent[k] = k == 0 ? -1 : mix(k) % 4 ? k - 1 : (int)(mix(k + 99) % k);
    for (int k = 0; k < all; k++) {
        axial[k] = 0.5 + number(k);
        start[k] = -70 + 40 * number(k + 5);
    }
    for (int c = 0; c < n; c++)
        current[c] = 50 * number(3 * c);
    CHECK(cudaMemcpyToSymbol(parents, parent, sizeof parent));
    double *daxial = on_device(axial, all), *dstart = on_device(start, all), *dcurrent = on_device(current, n);
    double *dv = device<double>(all), *dm = device<double>(all), *dh = device<double>(all), *dg = device<double>(all);
    double *dd = device<double>(all), *drhs = device<double>(all);
    double best = fastest(args.repeats, [&] {
        begin<<<ceiling(all, 256), 256>>>(all, dstart, dv, dm, dh, dg);
        for (int step = 0; step < STEPS; step++) {
            currents<<<ceiling(all, 128), 128>>>(all, dv, dm, dh, dg, dd, drhs);
            solve<<<ceiling(n, THREADS), THREADS>>>(n, daxial, dcurrent, dd, drhs, dv);
        }
    });
    to_host(v, dv, all);
    for (int k = 0; k < all; k++)
        sum += v[k] * (1 + k % 3);
    report("hines", best, sum);
    return 0;
}
