// The density of electrons of a molecule on 72^3 points, double: Gaussians of a thread in shared memory, the density matrix in constant memory.
#include "kernels.cuh"

enum { SIDE = 72, ATOMS = 12, EACH = 4, BASIS = ATOMS * EACH, TERMS = 3 };
#define STEP (8.0 / SIDE)

constexpr int THREADS = 64;

__constant__ double cat[3 * ATOMS], cexponent[ATOMS * TERMS], cfactor[ATOMS * TERMS], cp[BASIS * BASIS];

__global__ void density(int n, double *__restrict__ rho, double *__restrict__ total)
{
    __shared__ double phis[BASIS][THREADS], part[THREADS / 32];
    int point = blockIdx.x * THREADS + threadIdx.x, me = threadIdx.x;
    double sum = 0;
    if (point < n * n * n) {
        int i = point % n, j = point / n % n, k = point / n / n;
        for (int a = 0; a < ATOMS; a++) {
            double x = i * STEP - cat[a], y = j * STEP - cat[ATOMS + a], z = k * STEP - cat[2 * ATOMS + a], r2 = x * x + y * y + z * z, radial = 0;
#pragma unroll
            for (int t = 0; t < TERMS; t++)
                radial += cfactor[a * TERMS + t] * exp(-cexponent[a * TERMS + t] * r2);
            phis[a * EACH][me] = radial;
            phis[a * EACH + 1][me] = x * radial;
            phis[a * EACH + 2][me] = y * radial;
            phis[a * EACH + 3][me] = z * radial;
        }
        for (int m = 0; m < BASIS; m++) {
            double row = 0, mine = phis[m][me];
            for (int l = 0; l < m; l++)
                row += cp[m * BASIS + l] * phis[l][me];
            sum += mine * (2 * row + cp[m * BASIS + m] * mine);
        }
        rho[point] = sum;
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (me % 32 == 0)
        part[me / 32] = sum;
    __syncthreads();
    if (me == 0)
        atomicAdd(total, part[0] + part[1]);
}

static void molecule(double *at, double *exponent, double *factor, double *p)
{
    for (int a = 0; a < ATOMS; a++) {
        for (int c = 0; c < 3; c++)
            at[c * ATOMS + a] = 2 + 4 * number(17 * a + c);
        for (int t = 0; t < TERMS; t++) {
            exponent[a * TERMS + t] = (0.2 + number(a + 31 * t)) * (1 << 2 * t) / 4;
            factor[a * TERMS + t] = 0.3 + number(5 * a + t);
        }
    }
    for (int m = 0; m < BASIS; m++)
        for (int l = 0; l <= m; l++)
            p[m * BASIS + l] = p[l * BASIS + m] = m == l ? 1 + number(m) : 0.1 * number(m * BASIS + l);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n;
    double at[3 * ATOMS], exponent[ATOMS * TERMS], factor[ATOMS * TERMS], p[BASIS * BASIS], *rho = NEW(double, all), sum = 0;
    molecule(at, exponent, factor, p);
    CHECK(cudaMemcpyToSymbol(cat, at, sizeof at));
    CHECK(cudaMemcpyToSymbol(cexponent, exponent, sizeof exponent));
    CHECK(cudaMemcpyToSymbol(cfactor, factor, sizeof factor));
    CHECK(cudaMemcpyToSymbol(cp, p, sizeof p));
    double *drho = device<double>(all), *dtotal = device<double>(1), *total = pinned<double>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof(double)));
        density<<<ceiling(all, THREADS), THREADS>>>(n, drho, dtotal);
        CHECK(cudaMemcpyAsync(total, dtotal, sizeof(double), cudaMemcpyDeviceToHost));
    });
    to_host(rho, drho, all);
    SUM(sum, rho, all);
    report("density", best, sum + *total * STEP * STEP * STEP);
    return 0;
}
