// Implicit heat conduction on 2048 x 2048 cells, double: conductivities at the faces, then ten steps of Chebyshev's iteration, two launches each.
#include "kernels.cuh"

enum { SIDE = 2048, STEPS = 10 };
#define RATIO 4.0

#define AT(j, k) ((k) * (n + 2) + (j))
__global__ void begin(int n, const double *__restrict__ density, const double *__restrict__ u0, double *__restrict__ kx, double *__restrict__ ky,
                      double *__restrict__ p, double *__restrict__ u)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, k = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (j > n + 1 || k > n + 1)
        return;
    double d = density[AT(j, k)], left = density[AT(j - 1, k)], below = density[AT(j, k - 1)];
    kx[AT(j, k)] = j == 1 || j == n + 1 ? 0 : RATIO * (left + d) / (2 * left * d);
    ky[AT(j, k)] = k == 1 || k == n + 1 ? 0 : RATIO * (below + d) / (2 * below * d);
    p[AT(j, k)] = 0;
    u[AT(j, k)] = u0[AT(j, k)];
}

__global__ void direction(int n, double alpha, double beta, const double *__restrict__ kx, const double *__restrict__ ky, const double *__restrict__ u0,
                          const double *__restrict__ u, double *__restrict__ p)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, k = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (j > n || k > n)
        return;
    double above = ky[AT(j, k + 1)], below = ky[AT(j, k)], right = kx[AT(j + 1, k)], left = kx[AT(j, k)];
    double w = (1 + above + below + right + left) * u[AT(j, k)] - above * u[AT(j, k + 1)] - below * u[AT(j, k - 1)] - right * u[AT(j + 1, k)] -
               left * u[AT(j - 1, k)];
    p[AT(j, k)] = alpha * p[AT(j, k)] + beta * (u0[AT(j, k)] - w);
}

__global__ void add(int n, const double *__restrict__ p, double *__restrict__ u)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1, k = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (j <= n && k <= n)
        u[AT(j, k)] += p[AT(j, k)];
}

static void coefficients(double *alpha, double *beta)
{
    double least = 1, largest = 33, theta = (largest + least) / 2, delta = (largest - least) / 2, sigma = theta / delta, rho = 1 / sigma;
    alpha[0] = 0;
    beta[0] = 1 / theta;
    for (int k = 1; k < STEPS; k++) {
        double next = 1 / (2 * sigma - rho);
        alpha[k] = next * rho;
        beta[k] = 2 * next / delta;
        rho = next;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> args.shift, all = (n + 2) * (n + 2);
    double *density = NEW(double, all), *u0 = NEW(double, all), *u = (double *)calloc(all, 8), alpha[STEPS], beta[STEPS], sum = 0;
    coefficients(alpha, beta);
    for (int k = 0; k < all; k++)
        density[k] = 1 + number(k);
    FILL(u0, all, 10);
    double *ddensity = on_device(density, all), *du0 = on_device(u0, all), *dkx = on_device(u, all), *dky = on_device(u, all), *dp = on_device(u, all),
           *du = on_device(u, all);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8)), more(ceiling(n + 1, 32), ceiling(n + 1, 8));
    double best = fastest(args.repeats, [&] {
        begin<<<more, block>>>(n, ddensity, du0, dkx, dky, dp, du);
        for (int step = 0; step < STEPS; step++) {
            direction<<<grid, block>>>(n, alpha[step], beta[step], dkx, dky, du0, du, dp);
            add<<<grid, block>>>(n, dp, du);
        }
    });
    to_host(u, du, all);
    for (int k = 1; k <= n; k++)
        for (int j = 1; j <= n; j++)
            sum += u[k * (n + 2) + j] * (1 + j % 3);
    report("chebyshev", best, sum);
    return 0;
}
