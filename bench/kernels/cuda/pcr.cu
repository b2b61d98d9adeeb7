// 32768 tridiagonal systems of 256 equations, float, by parallel cyclic reduction: a block a system, a thread an equation, coefficients in shared memory.
#include "kernels.cuh"

enum { SYSTEMS = 1 << 15, N = 256 };

__global__ void __launch_bounds__(N) solve(const float *__restrict__ lower, const float *__restrict__ diagonal, const float *__restrict__ upper,
                                           const float *__restrict__ right, float *__restrict__ x)
{
    __shared__ float a[N], b[N], c[N], d[N];
    int i = threadIdx.x, at = blockIdx.x * N + i;
    float na = i > 0 ? lower[at] : 0, nb = diagonal[at], nc = i < N - 1 ? upper[at] : 0, nd = right[at];
    for (int step = 1; step < N; step *= 2) {
        a[i] = na;
        b[i] = nb;
        c[i] = nc;
        d[i] = nd;
        __syncthreads();
        float p = 0, q = 0;
        if (i >= step) {
            int l = i - step;
            p = na / b[l];
            nb -= c[l] * p;
            nd -= d[l] * p;
            na = -a[l] * p;
        }
        if (i + step < N) {
            int r = i + step;
            q = nc / b[r];
            nb -= a[r] * q;
            nd -= d[r] * q;
            nc = -c[r] * q;
        }
        __syncthreads();
    }
    x[at] = nd / nb;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int systems = SYSTEMS >> args.shift, all = systems * N;
    float *lower = NEW(float, all), *diagonal = NEW(float, all), *upper = NEW(float, all), *right = NEW(float, all), *x = NEW(float, all);
    double sum = 0;
    FILL(lower, all, 1);
    FILL(right, all, 3);
    for (int k = 0; k < all; k++) {
        diagonal[k] = 2.5 + number(k + 7);
        upper[k] = number(k + 1000003);
    }
    float *dl = on_device(lower, all), *dd = on_device(diagonal, all), *du = on_device(upper, all), *dr = on_device(right, all), *dx = device<float>(all);
    double best = fastest(args.repeats, [&] { solve<<<systems, N>>>(dl, dd, du, dr, dx); });
    to_host(x, dx, all);
    for (int k = 0; k < all; k++)
        sum += fabs(x[k]);
    report("pcr", best, sum);
    return 0;
}
