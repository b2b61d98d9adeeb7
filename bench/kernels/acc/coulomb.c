// Electric potential of 4000 charges on a plane of 512 × 512 points, float.
#include "../kernels.h"

enum { N = 512, ATOMS = 4000 };

#if SPELLING == 1
static void potential(int n, int atoms, const float *restrict atom, float *restrict v)
{
#pragma acc parallel loop collapse(2) present(atom[0:4 * atoms], v[0:n * n])
#pragma omp parallel for
    for (int y = 0; y < n; y++)
#pragma omp simd
        for (int x = 0; x < n; x++) {
            float energy = 0;
            for (int k = 0; k < atoms; k++) {
                float dx = 0.1f * x - atom[4 * k], dy = 0.1f * y - atom[4 * k + 1], dz = atom[4 * k + 2];
                energy += atom[4 * k + 3] / sqrtf(dx * dx + dy * dy + dz * dz);
            }
            v[y * n + x] = energy;
        }
}
#elif SPELLING == 3
static void potential(int n, int natoms, float *atoms, float *grid)
{
    const float spacing = 0.1f;
#pragma acc parallel loop gang present(atoms[0:4 * natoms], grid[0:n * n])
    for (int j = 0; j < n; j++) {
        const float y = spacing * j;
#pragma acc loop vector
        for (int i = 0; i < n; i++) {
            const float x = spacing * i;
            float energy = 0.0f;
            for (int m = 0; m < 4 * natoms; m += 4) {
                float dx = x - atoms[m], dy = y - atoms[m + 1], dz = atoms[m + 2];
                energy += atoms[m + 3] / sqrtf(dx * dx + dy * dy + dz * dz);
            }
            grid[j * n + i] = energy;
        }
    }
}
#elif SPELLING == 4
typedef struct { float x, y, z, q; } charge;
static void potential(unsigned n, unsigned natoms, const float *atoms, float *v)
{
    const charge *a = (const charge *)atoms;
    float(*grid)[n] = (float(*)[n])v;
#pragma acc kernels loop independent collapse(2) present(a[0:natoms], grid[0:n])
    for (unsigned y = 0; y < n; y++)
        for (unsigned x = 0; x < n; x++) {
            grid[y][x] = 0;
            for (unsigned k = 0; k < natoms; k++) {
                const float dx = 0.1f * x - a[k].x, dy = 0.1f * y - a[k].y;
                grid[y][x] += a[k].q * (1.0f / sqrtf(dx * dx + dy * dy + a[k].z * a[k].z));
            }
        }
}
#else
struct atom {
    float x, y, z, charge;
};

#pragma acc routine seq
static float of_one(const struct atom *a, float x, float y)
{
    float dx = x - a->x, dy = y - a->y, dz = 0 - a->z;
    return a->charge * (1.0f / sqrtf(dx * dx + dy * dy + dz * dz));
}

static void potential(size_t n, size_t atoms, float *flat, float *v)
{
    struct atom *atom = (struct atom *)flat;
#pragma acc parallel loop gang present(atom[0:atoms], v[0:n * n])
#pragma omp parallel for
    for (size_t y = 0; y < n; y++)
#pragma acc loop vector
#pragma omp simd
        for (size_t x = 0; x < n; x++) {
            float energy = 0;
#pragma acc loop seq
            for (size_t k = 0; k < atoms; k++)
                energy += of_one(&atom[k], 0.1f * x, 0.1f * y);
            v[y * n + x] = energy;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, atoms = ATOMS >> args.shift;
    float *atom = NEW(float, 4 * atoms), *v = NEW(float, n *n);
    double sum = 0;
    for (int k = 0; k < 4 * atoms; k++)
        atom[k] = k % 4 == 2 ? 1 + (float)number(k) : k % 4 == 3 ? (float)number(k) : 51 * (float)number(k);
#pragma acc enter data copyin(atom[0:4 * atoms]) create(v[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        potential(n, atoms, atom, v);
#pragma acc update self(v[0:n * n])
    SUM(sum, v, n * n);
    report("coulomb", t.best, sum);
    return 0;
}
