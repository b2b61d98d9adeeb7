// The Coulomb matrix of 40 contracted s functions of a molecule, double: a block a pair of functions, whose nine products are in shared
// memory; threads go through the other pairs.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int FUNCTIONS = 40, PRIMITIVES = 3, PRODUCTS = PRIMITIVES * PRIMITIVES;
constexpr double PI = 3.14159265358979323846, SMALL = 1e-6;

__device__ double boys(double t)
{
    if (t < 1e-7)
        return 1 - t / 3;
    double r = rsqrt(t);
    return 0.88622692545275801 * r * erf(t * r);
}

__global__ void coulomb(int pairs, const double *__restrict__ zeta, const double *__restrict__ px, const double *__restrict__ py,
                        const double *__restrict__ pz, const double *__restrict__ factor, const double *__restrict__ bound,
                        const double *__restrict__ density, double *__restrict__ matrix)
{
    __shared__ double bra[5][PRODUCTS];
    int ij = blockIdx.x;
    if (threadIdx.x < PRODUCTS) {
        int at = threadIdx.x * pairs + ij;
        bra[0][threadIdx.x] = zeta[at];
        bra[1][threadIdx.x] = px[at];
        bra[2][threadIdx.x] = py[at];
        bra[3][threadIdx.x] = pz[at];
        bra[4][threadIdx.x] = factor[at];
    }
    __syncthreads();
    double sum = 0, own = bound[ij];
    for (int kl = threadIdx.x; kl < pairs; kl += blockDim.x) {
        if (own * bound[kl] < SMALL)
            continue;
        double integral = 0;
        for (int b = 0; b < PRODUCTS; b++) {
            int to = b * pairs + kl;
            double q = zeta[to], bx = px[to], by = py[to], bz = pz[to], f = factor[to];
#pragma unroll
            for (int a = 0; a < PRODUCTS; a++) {
                double p = bra[0][a], x = bra[1][a] - bx, y = bra[2][a] - by, z = bra[3][a] - bz, s = rsqrt(p + q), m = p * q;
                integral += bra[4][a] * f / m * s * boys(m * s * s * (x * x + y * y + z * z));
            }
        }
        sum += density[kl] * integral;
    }
    sum = block_reduce(sum, 0.0, [](double p, double q) { return p + q; });
    if (threadIdx.x == 0)
        matrix[ij] = 2 * 17.493418327624862 * sum;
}

int main(int argc, char **argv)
{
    static const double exponent[PRIMITIVES] = {2.2277, 0.4058, 0.1098}, weight[PRIMITIVES] = {0.1543, 0.5353, 0.4446};
    struct arguments args = arguments(argc, argv);
    int n = FUNCTIONS >> (args.shift + 1) / 2, pairs = n * (n + 1) / 2, all = PRODUCTS * pairs, ij = 0;
    double *zeta = NEW(double, all), *px = NEW(double, all), *py = NEW(double, all), *pz = NEW(double, all), *factor = NEW(double, all),
           *bound = NEW(double, pairs), *density = NEW(double, pairs), *matrix = NEW(double, pairs), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++, ij++) {
            double c[3], d[3], far = 0;
            for (int k = 0; k < 3; k++) {
                c[k] = 16 * number(3 * i + k);
                d[k] = 16 * number(3 * j + k);
                far += (c[k] - d[k]) * (c[k] - d[k]);
            }
            for (int a = 0; a < PRODUCTS; a++) {
                double p = exponent[a / 3], q = exponent[a % 3];
                int at = a * pairs + ij;
                zeta[at] = p + q;
                px[at] = (p * c[0] + q * d[0]) / (p + q);
                py[at] = (p * c[1] + q * d[1]) / (p + q);
                pz[at] = (p * c[2] + q * d[2]) / (p + q);
                factor[at] = weight[a / 3] * weight[a % 3] * pow(4 * p * q / PI / PI, 0.75) * exp(-p * q / (p + q) * far);
            }
            // roughly the bound by its widest product
            bound[ij] = exp(-0.055 * far);
            density[ij] = (i == j ? 1 : 2) * (0.2 + number(ij));
        }
    double *dzeta = on_device(zeta, all), *dx = on_device(px, all), *dy = on_device(py, all), *dz = on_device(pz, all),
           *dfactor = on_device(factor, all), *dbound = on_device(bound, pairs), *ddensity = on_device(density, pairs),
           *dmatrix = device<double>(pairs);
    double best = fastest(args.repeats, [&] { coulomb<<<pairs, 128>>>(pairs, dzeta, dx, dy, dz, dfactor, dbound, ddensity, dmatrix); });
    to_host(matrix, dmatrix, pairs);
    SUM(sum, matrix, pairs);
    report("repulsion", best, sum);
    return 0;
}
