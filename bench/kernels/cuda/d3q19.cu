// A step of a fluid by the lattice Boltzmann method in 128^3 cells, double, nineteen velocities: a block a row of
// cells, unrolled over the velocities, whose directions are known to the compiler.
#include "kernels.cuh"

constexpr int Q = 19;
constexpr double OMEGA = 1.85, DRIVE = 0.005;

__global__ void step(int n, const unsigned char *__restrict__ solid, const double *__restrict__ from,
                     double *__restrict__ to)
{
    constexpr int ex[Q] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    constexpr int ey[Q] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    constexpr int ez[Q] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z, cells = n * n * n,
        k = (z * n + y) * n + x;
    if (x >= n)
        return;
    double f[Q], rho = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int q = 0; q < Q; q++) {
        f[q] = from[q * cells + k];
        rho += f[q];
        ux += ex[q] * f[q];
        uy += ey[q] * f[q];
        uz += ez[q] * f[q];
    }
    if (solid[k]) {
#pragma unroll
        for (int q = 1; q < Q; q += 2) {
            double one = f[q];
            f[q] = f[q + 1];
            f[q + 1] = one;
        }
    } else {
        double part = 1 / rho;
        ux = z == n - 1 ? DRIVE : ux * part;
        uy = z == n - 1 ? DRIVE / 2 : uy * part;
        uz = z == n - 1 ? 0 : uz * part;
        double square = 1.5 * (ux * ux + uy * uy + uz * uz);
#pragma unroll
        for (int q = 0; q < Q; q++) {
            double weight = q == 0  ? 1.0 / 3
                            : q < 7 ? 1.0 / 18
                                    : 1.0 / 36,
                   u = 3 * (ex[q] * ux + ey[q] * uy + ez[q] * uz);
            f[q] += OMEGA * (weight * rho * (1 + u + 0.5 * u * u - square) - f[q]);
        }
    }
    int xs[3] = {x == 0 ? n - 1 : x - 1, x, x == n - 1 ? 0 : x + 1};
    int ys[3] = {y == 0 ? n - 1 : y - 1, y, y == n - 1 ? 0 : y + 1};
    int zs[3] = {z == 0 ? n - 1 : z - 1, z, z == n - 1 ? 0 : z + 1};
#pragma unroll
    for (int q = 0; q < Q; q++)
        to[q * cells + (zs[ez[q] + 1] * n + ys[ey[q] + 1]) * n + xs[ex[q] + 1]] = f[q];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 128 >> (args.shift + 2) / 3, cells = n * n * n;
    unsigned char *solid = NEW(unsigned char, cells);
    double *from = NEW(double, (long)Q * cells), *to = NEW(double, (long)Q * cells), sum = 0;
    for (int k = 0; k < cells; k++) {
        int x = k % n, y = k / n % n, z = k / n / n;
        solid[k] = z == 0 || mix((x / 8 * 64 + y / 8) * 64 + z / 8) % 16 == 0;
        for (int q = 0; q < Q; q++)
            from[(long)q * cells + k] = (q == 0 ? 1.0 / 3 : q < 7 ? 1.0 / 18 : 1.0 / 36) * (1 + 0.02 * number(k + q));
    }
    unsigned char *dsolid = on_device(solid, cells);
    double *dfrom = on_device(from, (long)Q * cells), *dto = device<double>((long)Q * cells);
    dim3 block(n < 128 ? n : 128), grid(ceiling(n, block.x), n, n);
    double best = fastest(args.repeats, [&] { step<<<grid, block>>>(n, dsolid, dfrom, dto); });
    to_host(to, dto, (long)Q * cells);
    for (int q = 0; q < Q; q++)
        for (int k = 0; k < cells; k++)
            sum += to[(long)q * cells + k] * (1 + (k + q) % 5);
    report("d3q19", best, sum);
    return 0;
}
