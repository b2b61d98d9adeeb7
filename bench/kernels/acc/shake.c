// Constraints of 2^18 molecules of rigid water after a step (SHAKE), double: displacements along the old bonds,
// weighted by masses, again and again until the three distances of a molecule hold; then the velocities that this
// makes, and the virial of the constraints.
#include "../kernels.h"

enum { WATERS = 1 << 18, MOST = 100 };

#define OXYGEN 15.9994
#define HYDROGEN 1.008
#define BOND 0.1
#define ANGLE 0.16329931618554522
#define TOLERANCE 1e-9
#define STEP 0.002

#if SPELLING == 1
static double shake(int n, const double *restrict old, double *restrict x, double *restrict v, int *restrict rounds)
{
    const double length[3] = {BOND * BOND, BOND * BOND, ANGLE * ANGLE},
                 inverse[3] = {1 / OXYGEN, 1 / HYDROGEN, 1 / HYDROGEN};
    const int from[3] = {0, 0, 1}, to[3] = {1, 2, 2};
    double virial = 0;
#pragma acc parallel loop copyin(length, inverse, from, to) present(old[0:9 * n], x[0:9 * n], v[0:9 * n], rounds[0:n]) \
    reduction(+ : virial)
#pragma omp parallel for reduction(+ : virial)
    for (int i = 0; i < n; i++) {
        double p[9], bond[9], sums[3] = {0, 0, 0};
        int round = 0, done = 0;
        for (int k = 0; k < 9; k++)
            p[k] = x[9 * i + k];
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++)
                bond[3 * c + d] = old[9 * i + 3 * from[c] + d] - old[9 * i + 3 * to[c] + d];
        while (!done && round < MOST) {
            done = 1;
            for (int c = 0; c < 3; c++) {
                int a = 3 * from[c], b = 3 * to[c];
                double dx = p[a] - p[b], dy = p[a + 1] - p[b + 1], dz = p[a + 2] - p[b + 2];
                double off = length[c] - (dx * dx + dy * dy + dz * dz);
                if (fabs(off) > 2 * TOLERANCE * length[c]) {
                    double along = dx * bond[3 * c] + dy * bond[3 * c + 1] + dz * bond[3 * c + 2];
                    double g = off / (2 * along * (inverse[from[c]] + inverse[to[c]]));
                    for (int d = 0; d < 3; d++) {
                        p[a + d] += g * inverse[from[c]] * bond[3 * c + d];
                        p[b + d] -= g * inverse[to[c]] * bond[3 * c + d];
                    }
                    sums[c] += g;
                    done = 0;
                }
            }
            round++;
        }
        for (int k = 0; k < 9; k++) {
            v[9 * i + k] += (p[k] - x[9 * i + k]) / STEP;
            x[9 * i + k] = p[k];
        }
        for (int c = 0; c < 3; c++)
            virial += sums[c] * length[c];
        rounds[i] = round;
    }
    return virial / (STEP * STEP);
}
#else
struct vec { double x, y, z; };
struct water { struct vec atom[3]; };

static inline struct vec less(struct vec a, struct vec b) { return (struct vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline double dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline struct vec along(struct vec a, double s, struct vec b)
{
    return (struct vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

// Brings two atoms to their distance; gives the multiplier, zero if they hold it.
#pragma acc routine seq
static double constrain(struct vec *a, struct vec *b, struct vec bond, double length2, double ma, double mb)
{
    struct vec d = less(*a, *b);
    double off = length2 - dot(d, d);
    if (fabs(off) <= 2 * TOLERANCE * length2)
        return 0;
    double g = 0.5 * off / (dot(d, bond) * (1 / ma + 1 / mb));
    *a = along(*a, g / ma, bond);
    *b = along(*b, -g / mb, bond);
    return g;
}

static double shake(size_t n, const struct water *old, struct water *x, struct water *v, int *rounds)
{
    double virial = 0;
#pragma acc kernels present(old[0:n], x[0:n], v[0:n], rounds[0:n])
#pragma acc loop independent gang vector(128) reduction(+ : virial)
#pragma omp parallel for reduction(+ : virial)
    for (size_t i = 0; i < n; ++i) {
        struct water w = x[i], before = old[i];
        struct vec first = less(before.atom[0], before.atom[1]), second = less(before.atom[0], before.atom[2]);
        struct vec third = less(before.atom[1], before.atom[2]);
        double g[3] = {0, 0, 0}, change;
        int round = 0;
        do {
            double one = constrain(&w.atom[0], &w.atom[1], first, BOND * BOND, OXYGEN, HYDROGEN);
            double two = constrain(&w.atom[0], &w.atom[2], second, BOND * BOND, OXYGEN, HYDROGEN);
            double three = constrain(&w.atom[1], &w.atom[2], third, ANGLE * ANGLE, HYDROGEN, HYDROGEN);
            g[0] += one;
            g[1] += two;
            g[2] += three;
            change = fabs(one) + fabs(two) + fabs(three);
        } while (++round < MOST && change > 0);
        for (int k = 0; k < 3; ++k)
            v[i].atom[k] = along(v[i].atom[k], 1 / STEP, less(w.atom[k], x[i].atom[k]));
        x[i] = w;
        rounds[i] = round;
        virial += g[0] * (BOND * BOND) + g[1] * (BOND * BOND) + g[2] * (ANGLE * ANGLE);
    }
    return virial / (STEP * STEP);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = WATERS >> args.shift, all = 9 * n, *rounds = NEW(int, n);
    double *old = NEW(double, all), *moved = NEW(double, all), *x = NEW(double, all), *v = NEW(double, all), sum = 0,
           virial = 0;
    for (int i = 0; i < n; i++) {
        double turn = 6.28 * number(i + 3), tilt = 3.1 * number(i + 4), half = ANGLE / 2,
               high = sqrt(BOND * BOND - half * half);
        for (int a = 0; a < 3; a++) {
            double u = a == 0 ? 0 : a == 1 ? half : -half, w = a == 0 ? 0 : high;
            double at[3] = {u * cos(turn) - w * sin(turn) * cos(tilt), u * sin(turn) + w * cos(turn) * cos(tilt),
                            w * sin(tilt)};
            for (int d = 0; d < 3; d++) {
                int k = 9 * i + 3 * a + d;
                old[k] = at[d] + 0.31 * (d == 0 ? i % 64 : d == 1 ? i / 64 % 64 : i / 4096);
                moved[k] = old[k] + 0.02 * (number(k + 9) - 0.5);
            }
        }
    }
#pragma acc enter data copyin(old[0:all], moved[0:all]) create(x[0:all], v[0:all], rounds[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#pragma acc parallel loop present(moved[0:all], old[0:all], x[0:all], v[0:all])
#pragma omp parallel for
        for (int k = 0; k < all; k++) {
            x[k] = moved[k];
            v[k] = (moved[k] - old[k]) / STEP;
        }
#if SPELLING == 1
        virial = shake(n, old, x, v, rounds);
#else
        virial = shake(n, (struct water *)old, (struct water *)x, (struct water *)v, rounds);
#endif
    }
#pragma acc update self(x[0:all], v[0:all], rounds[0:n])
    for (int k = 0; k < all; k++)
        sum += fabs(x[k]) + v[k] * v[k];
    report("shake", t.best, sum + fabs(virial) * 1e-3);
    return 0;
}
