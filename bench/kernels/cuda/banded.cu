// 2^14 symmetric positive systems of 96 unknowns with 8 diagonals below, double: a thread a system, with the columns that a pivot changes in registers;
// entry d of column k of all systems together.
#include "kernels.cuh"

enum { SYSTEMS = 1 << 14, UNKNOWNS = 96, BAND = 8, WIDE = BAND + 1 };

constexpr int THREADS = 64;

__global__ void __launch_bounds__(THREADS) solve(int n, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ l,
                                                 double *__restrict__ x)
{
    int s = blockIdx.x * THREADS + threadIdx.x;
    if (s >= n)
        return;
    double window[WIDE][WIDE], right[WIDE];
#pragma unroll
    for (int c = 0; c < BAND; c++) {
#pragma unroll
        for (int d = 0; d < WIDE; d++)
            window[c][d] = a[(c * WIDE + d) * n + s];
        right[c] = b[c * n + s];
    }
#pragma unroll 1
    for (int k = 0; k < UNKNOWNS; k++) {
        bool more = k + BAND < UNKNOWNS;
#pragma unroll
        for (int d = 0; d < WIDE; d++)
            window[BAND][d] = more ? a[((k + BAND) * WIDE + d) * n + s] : 0;
        right[BAND] = more ? b[(k + BAND) * n + s] : 0;
        double inverse = rsqrt(window[0][0]), known = right[0] * inverse, column[WIDE];
        l[k * WIDE * n + s] = inverse;
        x[k * n + s] = known;
#pragma unroll
        for (int d = 1; d < WIDE; d++)
            l[(k * WIDE + d) * n + s] = column[d] = window[0][d] * inverse;
#pragma unroll
        for (int p = 1; p < WIDE; p++) {
#pragma unroll
            for (int q = 0; q < WIDE; q++)
                window[p - 1][q] = p + q < WIDE ? window[p][q] - column[p] * column[p + q] : window[p][q];
            right[p - 1] = right[p] - column[p] * known;
        }
    }
    double behind[WIDE] = {};
#pragma unroll 4
    for (int k = UNKNOWNS - 1; k >= 0; k--) {
        double sum = x[k * n + s];
#pragma unroll
        for (int d = 1; d < WIDE; d++)
            sum -= l[(k * WIDE + d) * n + s] * behind[d];
#pragma unroll
        for (int d = BAND; d > 1; d--)
            behind[d] = behind[d - 1];
        x[k * n + s] = behind[1] = sum * l[k * WIDE * n + s];
    }
}

static inline double entry(int s, int k, int d) { return d == 0 ? 8.5 + number(97 * s + k) : k + d < UNKNOWNS ? -0.5 * number(1031 * s + 17 * k + d) : 0; }

static inline double side(int s, int k) { return 1 + number(s + 8191 * k); }

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SYSTEMS >> args.shift, unknowns = n * UNKNOWNS, all = unknowns * WIDE;
    double *a = NEW(double, all), *b = NEW(double, unknowns), *x = NEW(double, unknowns), sum = 0;
    for (int s = 0; s < n; s++)
        for (int k = 0; k < UNKNOWNS; k++) {
            for (int d = 0; d < WIDE; d++)
                a[(k * WIDE + d) * n + s] = entry(s, k, d);
            b[k * n + s] = side(s, k);
        }
    double *da = on_device(a, all), *db = on_device(b, unknowns), *dl = device<double>(all), *dx = device<double>(unknowns);
    double best = fastest(args.repeats, [&] { solve<<<ceiling(n, THREADS), THREADS>>>(n, da, db, dl, dx); });
    to_host(x, dx, unknowns);
    for (int s = 0; s < n; s++)
        for (int k = 0; k < UNKNOWNS; k++)
            sum += x[k * n + s] * (1 + k % 3);
    report("banded", best, sum);
    return 0;
}
