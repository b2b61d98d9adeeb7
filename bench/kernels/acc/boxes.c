// Potentials of particles in boxes, double: 12 x 12 x 12 boxes of 64 particles, each with those of its own and the 26 boxes
// around it.
#include "../kernels.h"

enum { SIDE = 12, EACH = 64 };

struct particle {
    double x, y, z, charge;
};

#if SPELLING == 1
static void potentials(int side, const struct particle *restrict p, double *restrict v)
{
    int n = side * side * side;
#pragma acc parallel loop gang present(p[0:n * EACH], v[0:n * EACH])
#pragma omp parallel for
    for (int box = 0; box < n; box++) {
        int bz = box / (side * side), by = box / side % side, bx = box % side;
#pragma acc loop vector
        for (int i = 0; i < EACH; i++) {
            struct particle here = p[box * EACH + i];
            double sum = 0;
            for (int z = bz - 1; z <= bz + 1; z++)
                for (int y = by - 1; y <= by + 1; y++)
                    for (int x = bx - 1; x <= bx + 1; x++) {
                        if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
                            continue;
                        int other = (z * side + y) * side + x;
                        for (int j = 0; j < EACH; j++) {
                            struct particle there = p[other * EACH + j];
                            double dx = here.x - there.x, dy = here.y - there.y, dz = here.z - there.z;
                            sum += there.charge * exp(-0.5 * (dx * dx + dy * dy + dz * dz));
                        }
                    }
            v[box * EACH + i] = sum;
        }
    }
}
#else
#pragma acc routine seq
static double of_box(const struct particle *here, const struct particle *box)
{
    double sum = 0;
    for (const struct particle *q = box; q < box + EACH; q++) {
        double d[3] = {here->x - q->x, here->y - q->y, here->z - q->z};
        sum += q->charge * exp(-(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / 2);
    }
    return sum;
}

static void potentials(int side, struct particle *p, double *v)
{
    int n = side * side * side * EACH;
#pragma acc parallel loop gang vector present(p[0:n], v[0:n])
#pragma omp parallel for
    for (int k = 0; k < n; ++k) {
        long box = k / EACH, at[3] = {box % side, box / side % side, box / side / side};
        double sum = 0;
        for (int neighbour = 0; neighbour < 27; ++neighbour) {
            long x = at[0] + neighbour % 3 - 1, y = at[1] + neighbour / 3 % 3 - 1, z = at[2] + neighbour / 9 - 1;
            if (x >= 0 && x < side && y >= 0 && y < side && z >= 0 && z < side)
                sum += of_box(&p[k], &p[((z * side + y) * side + x) * EACH]);
        }
        v[k] = sum;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = args.shift ? 4 : SIDE, n = side * side * side * EACH;
    struct particle *p = NEW(struct particle, n);
    double *v = NEW(double, n), sum = 0;
    for (int k = 0; k < n; k++)
        p[k] = (struct particle){number(4 * k) + k / EACH % side, number(4 * k + 1) + k / EACH / side % side,
                                 number(4 * k + 2) + k / EACH / side / side, number(4 * k + 3)};
#pragma acc enter data copyin(p[0:n]) create(v[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        potentials(side, p, v);
#pragma acc update self(v[0:n])
    SUM(sum, v, n);
    report("boxes", t.best, sum);
    return 0;
}
