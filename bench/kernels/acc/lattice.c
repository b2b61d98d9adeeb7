// The potential of 8192 charges at the points of a lattice of 64 x 64 x 32, of those charges only that are nearer than a cutoff: charges lie in
// cells of up to eight.
#include "../kernels.h"

enum { SIDE = 64, DEPTH = 32, CELLS = 16, LEVELS = 8, ROOM = 8 };

typedef struct { float x, y, z, q; } charge;

#if SPELLING == 1
static void potential(int nx, int ny, int nz, const charge *restrict in, const int *restrict count, float *restrict out)
{
    const float cut2 = 36;
#pragma acc parallel loop collapse(3) present(in[0:CELLS * CELLS * LEVELS * ROOM], count[0:CELLS * CELLS * LEVELS], out[0:nx * ny * nz])
#pragma omp parallel for collapse(3)
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                float sum = 0;
                int cx = i / 4, cy = j / 4, cz = k / 4;
                for (int dz = -2; dz <= 2; dz++)
                    for (int dy = -2; dy <= 2; dy++)
                        for (int dx = -2; dx <= 2; dx++) {
                            int x = cx + dx, y = cy + dy, z = cz + dz;
                            if (x < 0 || x >= CELLS || y < 0 || y >= CELLS || z < 0 || z >= LEVELS)
                                continue;
                            int cell = (z * CELLS + y) * CELLS + x;
                            for (int a = 0; a < count[cell]; a++) {
                                charge c = in[cell * ROOM + a];
                                float rx = c.x - i, ry = c.y - j, rz = c.z - k, r2 = rx * rx + ry * ry + rz * rz;
                                if (r2 < cut2) {
                                    float s = 1 - r2 * (1 / cut2);
                                    sum += c.q * (1 / sqrtf(r2)) * s * s;
                                }
                            }
                        }
                out[(k * ny + j) * nx + i] = sum;
            }
}
#else
struct box { charge at[ROOM]; };

static float from_cell(const struct box *b, int n, float i, float j, float k)
{
    float sum = 0;
    const charge *c = b->at, *end = c + n;
    while (c != end) {
        float r2 = (c->x - i) * (c->x - i) + (c->y - j) * (c->y - j) + (c->z - k) * (c->z - k);
        float s = 1 - r2 / 36;
        if (s > 0)
            sum += c->q / sqrtf(r2) * (s * s);
        ++c;
    }
    return sum;
}

static void potential(size_t nx, size_t ny, size_t nz, charge *charges, int *count, float *out)
{
    struct box *in = (struct box *)charges;
    float(*to)[ny][nx] = (float(*)[ny][nx])out;
#pragma acc parallel loop gang collapse(2) present(in[0:CELLS * CELLS * LEVELS], count[0:CELLS * CELLS * LEVELS], to[0:nz][0:ny][0:nx])
#pragma omp parallel for collapse(2)
    for (size_t k = 0; k < nz; ++k)
        for (size_t j = 0; j < ny; ++j)
#pragma acc loop vector
            for (size_t i = 0; i < nx; ++i) {
                float sum = 0;
                long lowz = (long)k / 4 - 2, lowy = (long)j / 4 - 2, lowx = (long)i / 4 - 2;
                for (long z = lowz < 0 ? 0 : lowz; z <= lowz + 4 && z < LEVELS; ++z)
                    for (long y = lowy < 0 ? 0 : lowy; y <= lowy + 4 && y < CELLS; ++y)
                        for (long x = lowx < 0 ? 0 : lowx; x <= lowx + 4 && x < CELLS; ++x) {
                            long cell = (z * CELLS + y) * CELLS + x;
                            sum += from_cell(&in[cell], count[cell], i, j, k);
                        }
                to[k][j][i] = sum;
            }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int cells = CELLS * CELLS * LEVELS, side = SIDE, depth = DEPTH >> args.shift > 0 ? DEPTH >> args.shift : 1;
    charge *in = NEW(charge, cells *ROOM);
    int *count = NEW(int, cells);
    float *out = NEW(float, side *side *depth);
    double sum = 0;
    for (int c = 0; c < cells; c++) {
        count[c] = 1 + mix(c) % ROOM;
        for (int a = 0; a < ROOM; a++) {
            unsigned k = (c * ROOM + a) * 4;
            in[c * ROOM + a] = (charge){c % CELLS * 4 + 4 * number(k) + 0.003f, c / CELLS % CELLS * 4 + 4 * number(k + 1) + 0.003f,
                                        c / CELLS / CELLS * 4 + 4 * number(k + 2) + 0.003f, 1 + number(k + 3)};
        }
    }
#pragma acc enter data copyin(in[0:cells * ROOM], count[0:cells]) create(out[0:side * side * depth])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        potential(side, side, depth, in, count, out);
#pragma acc update self(out[0:side * side * depth])
    SUM(sum, out, side * side * depth);
    report("lattice", t.best, sum);
    return 0;
}
