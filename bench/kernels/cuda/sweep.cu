// A sweep of particle transport through 64 x 64 x 64 cells in 32 directions of one octant, double: a launch a diagonal plane, a warp a
// cell and a lane a direction.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int SIDE = 64, ANGLES = 32, CELLS = 4;

__global__ void sweep(int n, int plane, const double *__restrict__ mu, const double *__restrict__ eta, const double *__restrict__ xi,
                      const double *__restrict__ weight, const double *__restrict__ source, const double *__restrict__ sigma,
                      double *__restrict__ fx, double *__restrict__ fy, double *__restrict__ fz, double *__restrict__ flux)
{
    int a = threadIdx.x, j = blockIdx.x * CELLS + threadIdx.y, k = blockIdx.y, i = plane - j - k;
    if (j >= n || i < 0 || i >= n)
        return;
    int cell = (k * n + j) * n + i, ax = (k * n + j) * ANGLES + a, ay = (k * n + i) * ANGLES + a, az = (j * n + i) * ANGLES + a;
    // one outside
    double x = i ? fx[ax] : 1, y = j ? fy[ay] : 1, z = k ? fz[az] : 1, m = mu[a], e = eta[a], s = xi[a];
    double psi = (source[cell] + 2 * (m * x + e * y + s * z)) / (sigma[cell] + 2 * (m + e + s));
    fx[ax] = fmax(2 * psi - x, 0.0);
    fy[ay] = fmax(2 * psi - y, 0.0);
    fz[az] = fmax(2 * psi - z, 0.0);
    double sum = warp_reduce(weight[a] * psi, [](double p, double q) { return p + q; });
    if (a == 0)
        flux[cell] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n, faces = n * n * ANGLES;
    double *mu = NEW(double, ANGLES), *eta = NEW(double, ANGLES), *xi = NEW(double, ANGLES), *weight = NEW(double, ANGLES),
           *source = NEW(double, all), *sigma = NEW(double, all), *flux = NEW(double, all), sum = 0;
    for (int a = 0; a < ANGLES; a++) {
        double turn = 1.5707963 * (a % 8 + 0.5) / 8;
        xi[a] = (a / 8 + 0.5) / 4;
        mu[a] = sqrt(1 - xi[a] * xi[a]) * cos(turn);
        eta[a] = sqrt(1 - xi[a] * xi[a]) * sin(turn);
        weight[a] = 0.02 + 0.02 * number(a);
    }
    FILL(source, all, 1);
    for (int k = 0; k < all; k++)
        sigma[k] = 0.1 + 2 * number(k + 1);
    double *dmu = on_device(mu, ANGLES), *deta = on_device(eta, ANGLES), *dxi = on_device(xi, ANGLES), *dweight = on_device(weight, ANGLES),
           *dsource = on_device(source, all), *dsigma = on_device(sigma, all), *fx = device<double>(faces), *fy = device<double>(faces),
           *fz = device<double>(faces), *dflux = device<double>(all);
    double best = fastest(args.repeats, [&] {
        for (int plane = 0; plane <= 3 * (n - 1); plane++)
            sweep<<<dim3(ceiling(n, CELLS), n), dim3(ANGLES, CELLS)>>>(n, plane, dmu, deta, dxi, dweight, dsource, dsigma, fx, fy, fz, dflux);
    });
    to_host(flux, dflux, all);
    SUM(sum, flux, all);
    report("sweep", best, sum);
    return 0;
}
