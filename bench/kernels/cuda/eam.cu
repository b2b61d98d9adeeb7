// Forces of metal by the embedded-atom method in 22^3 boxes of 8 to 16 atoms, double: a thread an atom by a list of the slots that hold one,
// three kernels.
#include "kernels.cuh"

constexpr int SIDE = 22, SLOTS = 16, POINTS = 2000, TABLE = POINTS + 3;
constexpr double MOST_DENSITY = 120;

__device__ void interpolate(const double *__restrict__ table, double scale, double x, double &value, double &slope)
{
    x *= scale;
    int i = min((int)x, POINTS - 1);
    double r = x - i, a = table[i], b = table[i + 1], c = table[i + 2], d = table[i + 3], g1 = c - a, g2 = d - b;
    value = b + 0.5 * r * (g1 + r * (c + a - 2 * b));
    slope = 0.5 * (g1 + r * (g2 - g1)) * scale;
}

// Calls visit(j, dx, dy, dz, r) for all atoms j nearer than 1.
template <class Visit>
__device__ void neighbours(int i, const int *__restrict__ count, const int *__restrict__ around, const double *__restrict__ x,
                           const double *__restrict__ y, const double *__restrict__ z, Visit visit)
{
    double xi = x[i], yi = y[i], zi = z[i];
    for (int k = 0; k < 27; k++) {
        int box = around[i / SLOTS * 27 + k], end = box * SLOTS + count[box];
        double ox = xi - (k / 9 - 1), oy = yi - (k / 3 % 3 - 1), oz = zi - (k % 3 - 1);
        for (int j = box * SLOTS; j < end; j++) {
            double dx = ox - x[j], dy = oy - y[j], dz = oz - z[j], r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 1 && r2 > 0)
                visit(j, dx, dy, dz, sqrt(r2));
        }
    }
}

__global__ void pairs(int atoms, int n, const int *__restrict__ slots, const int *__restrict__ count, const int *__restrict__ around,
                      const double *__restrict__ x, const double *__restrict__ phi, const double *__restrict__ rho, double *__restrict__ f,
                      double *__restrict__ energy, double *__restrict__ density)
{
    int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= atoms)
        return;
    int i = slots[a];
    double fx = 0, fy = 0, fz = 0, e = 0, sum = 0;
    neighbours(i, count, around, x, x + n, x + 2 * n, [&](int, double dx, double dy, double dz, double r) {
        double p, dp, d, dd;
        interpolate(phi, POINTS, r, p, dp);
        interpolate(rho, POINTS, r, d, dd);
        dp /= r;
        fx -= dp * dx;
        fy -= dp * dy;
        fz -= dp * dz;
        e += 0.5 * p;
        sum += d;
    });
    f[i] = fx;
    f[n + i] = fy;
    f[2 * n + i] = fz;
    energy[i] = e;
    density[i] = sum;
}

__global__ void embedding(int atoms, const int *__restrict__ slots, const double *__restrict__ embed, const double *__restrict__ density,
                          double *__restrict__ energy, double *__restrict__ slope)
{
    int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= atoms)
        return;
    int i = slots[a];
    double f, df;
    interpolate(embed, POINTS / MOST_DENSITY, density[i], f, df);
    energy[i] += f;
    slope[i] = df;
}

__global__ void pulls(int atoms, int n, const int *__restrict__ slots, const int *__restrict__ count, const int *__restrict__ around,
                      const double *__restrict__ x, const double *__restrict__ rho, const double *__restrict__ slope, double *__restrict__ f)
{
    int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= atoms)
        return;
    int i = slots[a];
    double fx = 0, fy = 0, fz = 0, mine = slope[i];
    neighbours(i, count, around, x, x + n, x + 2 * n, [&](int j, double dx, double dy, double dz, double r) {
        double d, dd;
        interpolate(rho, POINTS, r, d, dd);
        dd *= (mine + slope[j]) / r;
        fx -= dd * dx;
        fy -= dd * dy;
        fz -= dd * dz;
    });
    f[i] += fx;
    f[n + i] += fy;
    f[2 * n + i] += fz;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 2) / 3, boxes = side * side * side, n = boxes * SLOTS, atoms = 0, *count = NEW(int, boxes),
        *around = NEW(int, 27 * boxes), *slots = NEW(int, n);
    double *x = NEW(double, 3 * n), *f = NEW(double, 3 * n), *energy = NEW(double, n), sum = 0;
    double phi[TABLE], rho[TABLE], embed[TABLE];
    for (int k = 0; k < TABLE; k++) {
        double r = (k - 1.0) / POINTS, s = MOST_DENSITY * r;
        phi[k] = 2 * (1 - r) * (1 - r) * exp(-3 * r);
        rho[k] = (1 - r) * (1 - r) * (1 + 2 * r);
        embed[k] = -2 * sqrt(fmax(s, 0)) + 0.01 * s;
    }
    for (int b = 0; b < boxes; b++) {
        int cx = b / side / side, cy = b / side % side, cz = b % side;
        count[b] = 8 + mix(b) % 9;
        for (int k = 0; k < 27; k++)
            around[b * 27 + k] = ((cx + k / 9 - 1 + side) % side * side + (cy + k / 3 % 3 - 1 + side) % side) * side + (cz + k % 3 - 1 + side) % side;
        for (int s = 0; s < count[b]; s++)
            slots[atoms++] = b * SLOTS + s;
    }
    for (int k = 0; k < 3 * n; k++)
        x[k % 3 * n + k / 3] = number(k);
    int *dcount = on_device(count, boxes), *daround = on_device(around, 27 * boxes), *dslots = on_device(slots, atoms);
    double *dx = on_device(x, 3 * n), *dphi = on_device(phi, TABLE), *drho = on_device(rho, TABLE), *dembed = on_device(embed, TABLE),
           *df = device<double>(3 * n), *denergy = device<double>(n), *ddensity = device<double>(n), *dslope = device<double>(n);
    double best = fastest(args.repeats, [&] {
        pairs<<<ceiling(atoms, 128), 128>>>(atoms, n, dslots, dcount, daround, dx, dphi, drho, df, denergy, ddensity);
        embedding<<<ceiling(atoms, 128), 128>>>(atoms, dslots, dembed, ddensity, denergy, dslope);
        pulls<<<ceiling(atoms, 128), 128>>>(atoms, n, dslots, dcount, daround, dx, drho, dslope, df);
    });
    to_host(f, df, 3 * n);
    to_host(energy, denergy, n);
    for (int a = 0; a < atoms; a++)
        for (int d = 0; d < 3; d++)
            sum += fabs(f[d * n + slots[a]]) + energy[slots[a]];
    report("eam", best, sum);
    return 0;
}
