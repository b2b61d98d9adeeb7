// Residual of a 27-point stencil with four coefficients, as in multigrid, double, 256³: a block a row, with sums of
// neighbouring rows in shared memory.
#include "kernels.cuh"

constexpr int N = 256;

struct coefficients {
    double a[4];
};

#define AT(p, i, j, k) (p)[((i) * n + (j)) * n + (k)]

__global__ void residual(int n, coefficients c, const double *__restrict__ u, const double *__restrict__ v,
                         double *__restrict__ r)
{
    __shared__ double u1[N], u2[N];
    int k = threadIdx.x, j = blockIdx.x + 1, i = blockIdx.y + 1;
    u1[k] = AT(u, i, j - 1, k) + AT(u, i, j + 1, k) + AT(u, i - 1, j, k) + AT(u, i + 1, j, k);
    u2[k] = AT(u, i - 1, j - 1, k) + AT(u, i - 1, j + 1, k) + AT(u, i + 1, j - 1, k) + AT(u, i + 1, j + 1, k);
    __syncthreads();
    if (k > 0 && k < n - 1)
        AT(r, i, j, k) = AT(v, i, j, k) - c.a[0] * AT(u, i, j, k) -
                         c.a[1] * (AT(u, i, j, k - 1) + AT(u, i, j, k + 1) + u1[k]) -
                         c.a[2] * (u2[k] + u1[k - 1] + u1[k + 1]) - c.a[3] * (u2[k - 1] + u2[k + 1]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n * n;
    double *u = NEW(double, all), *v = NEW(double, all), *r = NEW(double, all), sum = 0;
    coefficients a = {{-8.0 / 3, 0.05, 1.0 / 6, 1.0 / 12}};
    FILL(u, all, 1);
    FILL(v, all, 2);
    FILL(r, all, 0);
    double *du = on_device(u, all), *dv = on_device(v, all), *dr = on_device(r, all);
    dim3 grid(n - 2, n - 2);
    double best = fastest(args.repeats, [&] { residual<<<grid, n>>>(n, a, du, dv, dr); });
    to_host(r, dr, all);
    for (int k = 0; k < all; k++)
        sum += fabs(r[k]) * (1 + k % 7);
    report("mg27", best, sum);
    return 0;
}
