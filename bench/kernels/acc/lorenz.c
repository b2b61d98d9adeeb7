// An ensemble of ordinary differential equations, double: 2^17 trajectories of Lorenz's system, 100 Runge-Kutta steps each.
#include "../kernels.h"

enum { TRAJECTORIES = 1 << 17, STEPS = 100 };

#if SPELLING == 1
#pragma acc routine seq
static void slope(const double *u, double *d)
{
    d[0] = 10 * (u[1] - u[0]);
    d[1] = u[0] * (28 - u[2]) - u[1];
    d[2] = u[0] * u[1] - 8. / 3 * u[2];
}

static void integrate(int n, double dt, const double *restrict start, double *restrict end)
{
#pragma acc parallel loop present(start[0:3 * n], end[0:3 * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double u[3], v[3], k1[3], k2[3], k3[3], k4[3];
        for (int c = 0; c < 3; c++)
            u[c] = start[c * n + i];
        for (int step = 0; step < STEPS; step++) {
            slope(u, k1);
            for (int c = 0; c < 3; c++)
                v[c] = u[c] + dt / 2 * k1[c];
            slope(v, k2);
            for (int c = 0; c < 3; c++)
                v[c] = u[c] + dt / 2 * k2[c];
            slope(v, k3);
            for (int c = 0; c < 3; c++)
                v[c] = u[c] + dt * k3[c];
            slope(v, k4);
            for (int c = 0; c < 3; c++)
                u[c] += dt / 6 * (k1[c] + 2 * k2[c] + 2 * k3[c] + k4[c]);
        }
        for (int c = 0; c < 3; c++)
            end[c * n + i] = u[c];
    }
}
#else
typedef struct {
    double x, y, z;
} state;

#pragma acc routine seq
static state slope(state u)
{
    state d = {10 * (u.y - u.x), u.x * (28 - u.z) - u.y, u.x * u.y - 8. / 3 * u.z};
    return d;
}

#pragma acc routine seq
static state plus(state u, double h, state k)
{
    state r = {u.x + h * k.x, u.y + h * k.y, u.z + h * k.z};
    return r;
}

static void integrate(long n, double dt, double *start, double *end)
{
#pragma acc parallel loop gang vector present(start[0:3 * n], end[0:3 * n])
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        state u = {start[i], start[n + i], start[2 * n + i]};
        for (unsigned step = 0; step < STEPS; step++) {
            state k1 = slope(u), k2 = slope(plus(u, dt / 2, k1)), k3 = slope(plus(u, dt / 2, k2));
            state k4 = slope(plus(u, dt, k3));
            u = plus(u, dt / 6, plus(plus(plus(k1, 2, k2), 2, k3), 1, k4));
        }
        end[i] = u.x, end[n + i] = u.y, end[2 * n + i] = u.z;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TRAJECTORIES >> args.shift;
    double *start = NEW(double, 3 * n), *end = NEW(double, 3 * n), sum = 0;
    FILL(start, 3 * n, 1);
#pragma acc enter data copyin(start[0:3 * n]) create(end[0:3 * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        integrate(n, 0.001, start, end);
#pragma acc update self(end[0:3 * n])
    SUM(sum, end, 3 * n);
    report("lorenz", t.best, sum);
    return 0;
}
