// Lists of the neighbours that are nearer than a cutoff for about 442000 atoms in a periodic box, double: the atoms are in the order of 48^3
// cells as large as the cutoff, and each looks through 27 of them.
#include "../kernels.h"

enum { SIDE = 48, EACH = 4, MOST = 40 };

#if SPELLING == 1
static void build(int side, int n, const int *restrict start, const double *restrict x, const double *restrict y, const double *restrict z,
                  int *restrict count, int *restrict list)
{
    int cells = side * side * side;
    double box = side;
#pragma acc parallel loop present(start[0:cells + 1], x[0:n], y[0:n], z[0:n], count[0:n], list[0:MOST * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int cx = (int)x[i], cy = (int)y[i], cz = (int)z[i], found = 0;
        for (int dx = -1; dx <= 1; dx++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dz = -1; dz <= 1; dz++) {
                    int cell = ((cx + dx + side) % side * side + (cy + dy + side) % side) * side + (cz + dz + side) % side;
                    for (int j = start[cell]; j < start[cell + 1]; j++) {
                        double rx = x[i] - x[j], ry = y[i] - y[j], rz = z[i] - z[j];
                        rx -= box * rint(rx / box);
                        ry -= box * rint(ry / box);
                        rz -= box * rint(rz / box);
                        if (j != i && rx * rx + ry * ry + rz * rz < 1 && found < MOST)
                            list[found++ * n + i] = j;
                    }
                }
        count[i] = found;
    }
}
#else
struct atom { double r[3]; };

// The shorter way around the box.
#define NEAREST(d) ((d) > half ? (d) - box : (d) < -half ? (d) + box : (d))

static double squared(struct atom a, struct atom b, double box)
{
    double half = box / 2, sum = 0;
    for (int k = 0; k < 3; ++k) {
        double d = a.r[k] - b.r[k];
        d = NEAREST(d);
        sum += d * d;
    }
    return sum;
}

static inline unsigned wrap(int c, int side) { return c < 0 ? c + side : c >= side ? c - side : c; }

static void build(int side, size_t n, int *first, struct atom *atom, int *count, int *flat)
{
    int(*list)[n] = (int(*)[n])flat;
    size_t cells = (size_t)side * side * side;
#pragma acc kernels present(first[0:cells + 1], atom[0:n], count[0:n], list[0:MOST])
#pragma acc loop independent gang vector(128)
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        const struct atom here = atom[i];
        const int a = (int)here.r[0], b = (int)here.r[1], c = (int)here.r[2];
        int found = 0;
        for (int k = 0; k < 27; ++k) {
            const int *start = first + (wrap(a + k / 9 - 1, side) * side + wrap(b + k / 3 % 3 - 1, side)) * side + wrap(c + k % 3 - 1, side);
            for (size_t j = start[0]; j < (size_t)start[1]; ++j) {
                if (i == j || squared(here, atom[j], side) >= 1)
                    continue;
                if (found == MOST)
                    break;
                list[found][i] = (int)j;
                ++found;
            }
        }
        count[i] = found;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 2) / 3, cells = side * side * side, n = EACH * cells, all = MOST * n;
    int *start = NEW(int, cells + 1), *cell = NEW(int, n), *count = NEW(int, n), *list = NEW(int, all);
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), sum = 0;
    for (int k = 0; k <= cells; k++)
        start[k] = 0;
    for (int i = 0; i < n; i++) {
        int cx = side * number(3 * i), cy = side * number(3 * i + 1), cz = side * number(3 * i + 2);
        cell[i] = (cx * side + cy) * side + cz;
        start[cell[i]]++;
    }
    for (int k = 0, before = 0; k <= cells; k++) {
        int here = start[k];
        start[k] = before;
        before += here;
    }
    for (int i = 0; i < n; i++) {
        int at = start[cell[i]]++;
        x[at] = side * number(3 * i);
        y[at] = side * number(3 * i + 1);
        z[at] = side * number(3 * i + 2);
    }
    for (int k = cells; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(start[0:cells + 1], x[0:n], y[0:n], z[0:n]) create(count[0:n], list[0:all])
    while (lap(&t))
        build(side, n, start, x, y, z, count, list);
#else
    struct atom *atom = NEW(struct atom, n);
    for (int i = 0; i < n; i++)
        atom[i] = (struct atom){{x[i], y[i], z[i]}};
#pragma acc enter data copyin(start[0:cells + 1], atom[0:n]) create(count[0:n], list[0:all])
    while (lap(&t))
        build(side, n, start, atom, count, list);
#endif
#pragma acc update self(count[0:n], list[0:all])
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count[i]; k++)
            sum += 1 + list[k * n + i] % 1000 * 1e-3;
    report("neighbours", t.best, sum);
    return 0;
}
