// A step of a fluid by the lattice Boltzmann method in 128^3 cells, double, nineteen velocities (D3Q19): collision and
// streaming to the neighbours, where obstacles throw back what comes and the layer on top is driven; cell k of one
// velocity after the other.
#include "../kernels.h"

enum { SIDE = 128, Q = 19 };

#define OMEGA 1.85
#define DRIVE 0.005

#if SPELLING == 1
// Velocities of opposite directions stand side by side after that of rest.
static const int ex[Q] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
static const int ey[Q] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
static const int ez[Q] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

#define AT(q, k) ((q) * cells + (k))

static void step(int n, const unsigned char *restrict solid, const double *restrict from, double *restrict to)
{
    int cells = n * n * n;
#pragma acc parallel loop collapse(3) present(solid[0:cells], from[0:Q * cells], to[0:Q * cells]) copyin(ex, ey, ez)
#pragma omp parallel for
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int k = (z * n + y) * n + x;
                double f[Q], rho = 0, ux = 0, uy = 0, uz = 0;
                for (int q = 0; q < Q; q++) {
                    f[q] = from[AT(q, k)];
                    rho += f[q];
                    ux += ex[q] * f[q];
                    uy += ey[q] * f[q];
                    uz += ez[q] * f[q];
                }
                if (solid[k]) {
                    for (int q = 1; q < Q; q += 2) {
                        double one = f[q];
                        f[q] = f[q + 1];
                        f[q + 1] = one;
                    }
                } else {
                    ux /= rho;
                    uy /= rho;
                    uz /= rho;
                    if (z == n - 1) {
                        ux = DRIVE;
                        uy = DRIVE / 2;
                        uz = 0;
                    }
                    double square = 1.5 * (ux * ux + uy * uy + uz * uz);
                    for (int q = 0; q < Q; q++) {
                        double weight = q == 0 ? 1.0 / 3 : q < 7 ? 1.0 / 18 : 1.0 / 36;
                        double u = 3 * (ex[q] * ux + ey[q] * uy + ez[q] * uz);
                        f[q] += OMEGA * (weight * rho * (1 + u + 0.5 * u * u - square) - f[q]);
                    }
                }
                for (int q = 0; q < Q; q++) {
                    int x1 = (x + ex[q] + n) % n, y1 = (y + ey[q] + n) % n, z1 = (z + ez[q] + n) % n;
                    to[AT(q, (z1 * n + y1) * n + x1)] = f[q];
                }
            }
}
#else
// All directions by name.
#define DIRECTIONS(DO) \
    DO(E, W, 1, 1, 0, 0, 18) DO(W, E, 2, -1, 0, 0, 18) DO(N, S, 3, 0, 1, 0, 18) DO(S, N, 4, 0, -1, 0, 18) \
    DO(T, B, 5, 0, 0, 1, 18) DO(B, T, 6, 0, 0, -1, 18) DO(NE, SW, 7, 1, 1, 0, 36) DO(SW, NE, 8, -1, -1, 0, 36) \
    DO(SE, NW, 9, 1, -1, 0, 36) DO(NW, SE, 10, -1, 1, 0, 36) DO(ET, WB, 11, 1, 0, 1, 36) DO(WB, ET, 12, -1, 0, -1, 36) \
    DO(EB, WT, 13, 1, 0, -1, 36) DO(WT, EB, 14, -1, 0, 1, 36) \
    DO(NT, SB, 15, 0, 1, 1, 36) DO(SB, NT, 16, 0, -1, -1, 36) DO(NB, ST, 17, 0, 1, -1, 36) DO(ST, NB, 18, 0, -1, 1, 36)

#define WRAPPED(i) ((i) < 0 ? (i) + n : (i) >= n ? (i) - n : (i))
#define LOAD(d, o, q, vx, vy, vz, w)                                  \
    double d = from[q][z][y][x];                                      \
    rho += d;                                                         \
    ux += vx * d;                                                     \
    uy += vy * d;                                                     \
    uz += vz * d;
#define RELAX(d, o, q, vx, vy, vz, w)                                 \
    {                                                                 \
        double u = vx * ux + vy * uy + vz * uz;                       \
        d = (1 - OMEGA) * d + OMEGA / w * rho * (1 + u * (3 + 4.5 * u) - square); \
    }
#define STREAM(d, o, q, vx, vy, vz, w) to[q][WRAPPED(z + (vz))][WRAPPED(y + (vy))][WRAPPED(x + (vx))] = blocked ? o : d;

static void step(long n, unsigned char solid[n][n][n], double from[Q][n][n][n], double to[Q][n][n][n])
{
#pragma acc parallel loop gang collapse(2) \
    present(solid[0:n][0:n][0:n], from[0:Q][0:n][0:n][0:n], to[0:Q][0:n][0:n][0:n])
#pragma omp parallel for collapse(2)
    for (long z = 0; z < n; ++z)
        for (long y = 0; y < n; ++y)
#pragma acc loop vector
            for (long x = 0; x < n; ++x) {
                const int blocked = solid[z][y][x];
                double C = from[0][z][y][x], rho = C, ux = 0, uy = 0, uz = 0;
                DIRECTIONS(LOAD)
                if (!blocked) {
                    ux = z == n - 1 ? DRIVE : ux / rho;
                    uy = z == n - 1 ? DRIVE / 2 : uy / rho;
                    uz = z == n - 1 ? 0 : uz / rho;
                    const double square = 1.5 * (ux * ux + uy * uy + uz * uz);
                    C = (1 - OMEGA) * C + OMEGA / 3 * rho * (1 - square);
                    DIRECTIONS(RELAX)
                }
                to[0][z][y][x] = C;
                DIRECTIONS(STREAM)
            }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, cells = n * n * n;
    unsigned char *solid = NEW(unsigned char, cells);
    double *from = NEW(double, (long)Q * cells), *to = NEW(double, (long)Q * cells), sum = 0;
    for (int k = 0; k < cells; k++) {
        int x = k % n, y = k / n % n, z = k / n / n;
        solid[k] = z == 0 || mix((x / 8 * 64 + y / 8) * 64 + z / 8) % 16 == 0;
        for (int q = 0; q < Q; q++)
            from[(long)q * cells + k] = (q == 0 ? 1.0 / 3 : q < 7 ? 1.0 / 18 : 1.0 / 36) * (1 + 0.02 * number(k + q));
    }
#pragma acc enter data copyin(solid[0:cells], from[0:Q * cells]) create(to[0:Q * cells])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        step(n, solid, from, to);
#else
        step(n, (unsigned char(*)[n][n])solid, (double(*)[n][n][n])from, (double(*)[n][n][n])to);
#endif
    }
#pragma acc update self(to[0:Q * cells])
    for (int q = 0; q < Q; q++)
        for (int k = 0; k < cells; k++)
            sum += to[(long)q * cells + k] * (1 + (k + q) % 5);
    report("d3q19", t.best, sum);
    return 0;
}
