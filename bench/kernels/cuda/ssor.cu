// A step of symmetric over-relaxation on 64^3 cells of five unknowns, double: lists of the cells of each plane i + j + k, a launch for each plane, a thread a
// cell; the blocks are applied without being stored.
#include "kernels.cuh"
#include <vector>

enum { SIDE = 64 };
#define GAMMA 1.4
#define OMEGA 1.2
#define DT 0.1
#define T1 1.0
#define T2 0.5
#define DRAG 0.05
#define DIAGONAL (1 + 6 * DT * T1)

constexpr int THREADS = 64;

// Takes from t what the neighbour `at` in direction D has to say.
template <int D> __device__ __forceinline__ void couple(double side, int cells, const double *__restrict__ u, const double *v, int at, double (&t)[5])
{
    double s[5], c[5];
#pragma unroll
    for (int m = 0; m < 5; m++) {
        s[m] = u[m * cells + at];
        c[m] = v[m * cells + at];
    }
    double r = 1 / s[0], w[4] = {0, s[1] * r, s[2] * r, s[3] * r};
    double phi = 0.5 * (GAMMA - 1) * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]), h = GAMMA * s[4] * r - phi;
    double pressure = phi * c[0] + (GAMMA - 1) * (c[4] - w[1] * c[1] - w[2] * c[2] - w[3] * c[3]), drift = c[D] - w[D] * c[0];
    double f = OMEGA * side * DT * T2, g = OMEGA * DT * T1;
    t[0] -= f * c[D] - g * c[0];
#pragma unroll
    for (int m = 1; m <= 3; m++)
        t[m] -= f * (w[m] * drift + w[D] * c[m] + (m == D ? pressure : 0)) - g * c[m];
    t[4] -= f * (w[D] * (c[4] + pressure) + h * drift) - g * c[4];
}

template <int SIGN>
__global__ void __launch_bounds__(THREADS) plane(int count, const int *__restrict__ cell, int n, int cells, const double *__restrict__ u, double *v)
{
    int k = blockIdx.x * THREADS + threadIdx.x;
    if (k >= count)
        return;
    int at = cell[k];
    double own[5], t[5];
#pragma unroll
    for (int m = 0; m < 5; m++) {
        own[m] = v[m * cells + at];
        t[m] = SIGN < 0 ? own[m] : 0;
    }
    couple<3>(SIGN, cells, u, v, at + SIGN * n * n, t);
    couple<2>(SIGN, cells, u, v, at + SIGN * n, t);
    couple<1>(SIGN, cells, u, v, at + SIGN, t);
    const double d = 1 / DIAGONAL;
    double r = 1 / u[at], squares = 0, last = t[4];
    t[0] *= d;
#pragma unroll
    for (int m = 1; m <= 3; m++) {
        double w = u[m * cells + at] * r;
        squares += w * w;
        t[m] = d * (t[m] + DRAG * w * t[0]);
        last += 0.5 * DRAG * w * t[m];
    }
    t[4] = d * (last - DRAG * squares * t[0]);
#pragma unroll
    for (int m = 0; m < 5; m++)
        v[m * cells + at] = SIGN < 0 ? t[m] : own[m] + t[m];
}

static double state(int cell, int m)
{
    double r = number(5 * cell + m);
    return m == 0 ? 1 + 0.1 * r : m == 4 ? 2 + 0.1 * r : 0.4 * (r - 0.3);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, cells = n * n * n, all = 5 * cells;
    double *u = NEW(double, all), *rhs = NEW(double, all), *v = NEW(double, all), sum = 0;
    for (int k = 0; k < all; k++) {
        u[k % 5 * cells + k / 5] = state(k / 5, k % 5);
        rhs[k % 5 * cells + k / 5] = number(k + 9);
    }
    std::vector<int> cell, start;
    for (int l = 0; l < 3 * n; l++) {
        start.push_back(cell.size());
        for (int k = 1; k < n - 1; k++)
            for (int j = 1; j < n - 1; j++)
                if (l - k - j >= 1 && l - k - j < n - 1)
                    cell.push_back((k * n + j) * n + l - k - j);
    }
    start.push_back(cell.size());
    double *du = on_device(u, all), *drhs = on_device(rhs, all), *dv = device<double>(all);
    int *dcell = on_device(cell.data(), cell.size());
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemcpyAsync(dv, drhs, all * sizeof *dv, cudaMemcpyDeviceToDevice));
        for (int l = 3; l <= 3 * (n - 2); l++) {
            int count = start[l + 1] - start[l];
            plane<-1><<<ceiling(count, THREADS), THREADS>>>(count, dcell + start[l], n, cells, du, dv);
        }
        for (int l = 3 * (n - 2); l >= 3; l--) {
            int count = start[l + 1] - start[l];
            plane<1><<<ceiling(count, THREADS), THREADS>>>(count, dcell + start[l], n, cells, du, dv);
        }
    });
    to_host(v, dv, all);
    for (int k = 0; k < all; k++)
        sum += fabs(v[k]) * (1 + k / cells);
    report("ssor", best, sum);
    return 0;
}
