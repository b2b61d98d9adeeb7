// Forces of molecular dynamics, Lennard-Jones, double: 65536 atoms with lists of 64 neighbours, a thread an atom.
#include "kernels.cuh"

constexpr int NEIGHBOURS = 64;

__global__ void forces(int n, const double *__restrict__ x, const double *__restrict__ y, const double *__restrict__ z,
                       const int *__restrict__ list, double *__restrict__ f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double px = x[i], py = y[i], pz = z[i], fx = 0, fy = 0, fz = 0;
#pragma unroll 4
    for (int k = 0; k < NEIGHBOURS; k++) {
        int j = list[k * n + i];
        double dx = px - x[j], dy = py - y[j], dz = pz - z[j], r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < 0.25) {
            double inverse = 1.0 / (r2 + 0.01), r6 = inverse * inverse * inverse;
            double force = inverse * r6 * (1.5e-6 * r6 - 2e-3);
            fx += dx * force;
            fy += dy * force;
            fz += dz * force;
        }
    }
    f[i] = fx;
    f[n + i] = fy;
    f[2 * n + i] = fz;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 16) >> args.shift, *list = NEW(int, n *NEIGHBOURS);
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *f = NEW(double, 3 * n), sum = 0;
    for (int i = 0; i < n; i++)
        x[i] = number(3 * i), y[i] = number(3 * i + 1), z[i] = number(3 * i + 2);
    for (int k = 0; k < NEIGHBOURS; k++)
        for (int i = 0; i < n; i++)
            list[k * n + i] = (int)((i + 1 + mix(k * n + i) % 1000) % n);
    double *dx = on_device(x, n), *dy = on_device(y, n), *dz = on_device(z, n), *df = device<double>(3 * n);
    int *dlist = on_device(list, n * NEIGHBOURS);
    double best = fastest(args.repeats, [&] { forces<<<ceiling(n, 128), 128>>>(n, dx, dy, dz, dlist, df); });
    to_host(f, df, 3 * n);
    for (int k = 0; k < 3 * n; k++)
        sum += fabs(f[k]);
    report("md", best, sum);
    return 0;
}
