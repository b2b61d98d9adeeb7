// Chemistry of the stratosphere in 2^16 cells, double: five species and ten reactions for a quarter of an hour by a Rosenbrock method of second
// order with adaptive steps; a thread a cell, all of its matrix in registers.
#include "kernels.cuh"

constexpr int CELLS = 1 << 16, SPECIES = 5, MOST = 1000, THREADS = 128;
constexpr double TIME = 900, OXYGEN = 1.697e16, AIR = 8.120e16, GAMMA = 1.7071067811865475, RELATIVE = 1e-2, ABSOLUTE = 1e3, K6 = 7.110e-11,
                 K7 = 1.200e-10, K9 = 1.069e-11;

static const double usual[SPECIES] = {9.906e1, 6.624e8, 5.326e11, 8.725e8, 2.240e8};

struct rates { double k1, k2, k3, k4, k5, k8, k10; };

// Lower and upper factor without pivots, inverses of the pivots on the diagonal.
struct factors {
    double a[SPECIES][SPECIES];

    __device__ factors(const rates &k, const double (&y)[SPECIES], double g)
    {
#pragma unroll
        for (int r = 0; r < SPECIES; r++)
#pragma unroll
            for (int c = 0; c < SPECIES; c++)
                a[r][c] = 0;
        a[0][0] = 1 + g * (K6 * AIR + K7 * y[2]);
        a[0][2] = g * (K7 * y[0] - k.k5);
        a[1][0] = -g * (K6 * AIR);
        a[1][1] = 1 + g * (k.k2 * OXYGEN + k.k4 * y[2] + K9 * y[4]);
        a[1][2] = g * (k.k4 * y[1] - k.k3);
        a[1][4] = g * (K9 * y[1] - k.k10);
        a[2][0] = g * K7 * y[2];
        a[2][1] = g * (k.k4 * y[2] - k.k2 * OXYGEN);
        a[2][2] = 1 + g * (k.k3 + k.k4 * y[1] + k.k5 + K7 * y[0] + k.k8 * y[3]);
        a[2][3] = g * k.k8 * y[2];
        a[3][1] = -g * K9 * y[4];
        a[3][2] = g * k.k8 * y[3];
        a[3][3] = 1 + g * k.k8 * y[2];
        a[3][4] = -g * (K9 * y[1] + k.k10);
        a[4][1] = -a[3][1];
        a[4][2] = -a[3][2];
        a[4][3] = -g * k.k8 * y[2];
        a[4][4] = 1 - a[3][4];
#pragma unroll
        for (int p = 0; p < SPECIES; p++) {
            a[p][p] = 1 / a[p][p];
#pragma unroll
            for (int r = p + 1; r < SPECIES; r++) {
                a[r][p] *= a[p][p];
#pragma unroll
                for (int c = p + 1; c < SPECIES; c++)
                    a[r][c] -= a[r][p] * a[p][c];
            }
        }
    }

    __device__ void solve(double (&x)[SPECIES]) const
    {
#pragma unroll
        for (int r = 1; r < SPECIES; r++)
#pragma unroll
            for (int c = 0; c < r; c++)
                x[r] -= a[r][c] * x[c];
#pragma unroll
        for (int r = SPECIES - 1; r >= 0; r--) {
#pragma unroll
            for (int c = r + 1; c < SPECIES; c++)
                x[r] -= a[r][c] * x[c];
            x[r] *= a[r][r];
        }
    }
};

__device__ void change(const rates &k, const double (&y)[SPECIES], double (&f)[SPECIES])
{
    double r2 = k.k2 * OXYGEN * y[1], r3 = k.k3 * y[2], r4 = k.k4 * y[1] * y[2], r5 = k.k5 * y[2], r6 = K6 * AIR * y[0];
    double r7 = K7 * y[0] * y[2], r8 = k.k8 * y[3] * y[2], r9 = K9 * y[4] * y[1], r10 = k.k10 * y[4];
    f[0] = r5 - r6 - r7;
    f[1] = 2 * OXYGEN * k.k1 - r2 + r3 - r4 + r6 - r9 + r10;
    f[2] = r2 - r3 - r4 - r5 - r7 - r8;
    f[3] = r9 + r10 - r8;
    f[4] = -f[3];
}

__global__ void __launch_bounds__(THREADS) integrate(int n, const double *__restrict__ sun, const double *__restrict__ temperature,
                                                     const double *__restrict__ before, double *__restrict__ after)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    double s = sun[i], one_by = 1 / temperature[i], y[SPECIES], t = 0, h = 0.1;
    rates k = {2.643e-10 * s * s * s, 8.018e-17 * pow(300 * one_by, 2.3), 6.120e-4 * s, 8.0e-12 * exp(-2060 * one_by), 1.070e-3 * s * s,
               2.2e-12 * exp(-1430 * one_by), 1.289e-2 * s};
#pragma unroll
    for (int c = 0; c < SPECIES; c++)
        y[c] = before[c * n + i];
    for (int step = 0; step < MOST && t < TIME; step++) {
        double one[SPECIES], two[SPECIES], middle[SPECIES], error = 0;
        h = fmin(h, TIME - t);
        factors lu(k, y, GAMMA * h);
        change(k, y, one);
        lu.solve(one);
#pragma unroll
        for (int c = 0; c < SPECIES; c++)
            middle[c] = y[c] + h * one[c];
        change(k, middle, two);
#pragma unroll
        for (int c = 0; c < SPECIES; c++)
            two[c] -= 2 * one[c];
        lu.solve(two);
#pragma unroll
        for (int c = 0; c < SPECIES; c++) {
            double e = 0.5 * h * (one[c] + two[c]) / (ABSOLUTE + RELATIVE * fabs(y[c]));
            error += e * e;
        }
        error = sqrt(error / SPECIES);
        if (error <= 1) {
#pragma unroll
            for (int c = 0; c < SPECIES; c++)
                y[c] += h * (1.5 * one[c] + 0.5 * two[c]);
            t += h;
        }
        h *= fmin(5.0, fmax(0.2, 0.9 * rsqrt(error + 1e-10)));
    }
#pragma unroll
    for (int c = 0; c < SPECIES; c++)
        after[c * n + i] = y[c];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CELLS >> args.shift;
    double *sun = NEW(double, n), *temperature = NEW(double, n), *before = NEW(double, SPECIES * n), *after = NEW(double, SPECIES * n), sum = 0;
    for (int i = 0; i < n; i++) {
        sun[i] = fmax(0.02, sin(6.283185307179586 * i / n)) * (0.8 + 0.2 * number(i));
        temperature[i] = 210 + 50 * number(i + n);
        for (int s = 0; s < SPECIES; s++)
            before[s * n + i] = usual[s] * (0.7 + 0.6 * number(SPECIES * i + s));
    }
    double *dsun = on_device(sun, n), *dtemperature = on_device(temperature, n), *dbefore = on_device(before, SPECIES * n);
    double *dafter = device<double>(SPECIES * n);
    double best = fastest(args.repeats, [&] { integrate<<<ceiling(n, THREADS), THREADS>>>(n, dsun, dtemperature, dbefore, dafter); });
    to_host(after, dafter, SPECIES * n);
    for (int i = 0; i < n; i++)
        for (int s = 0; s < SPECIES; s++)
            sum += after[s * n + i] / usual[s];
    report("kinetics", best, sum);
    return 0;
}
