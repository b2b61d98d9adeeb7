// A step of the acoustic wave equation on 256 x 256 x 256 points, float, differences of eighth order in each direction.
#include "../kernels.h"

enum { SIDE = 256, REACH = 4 };

#if SPELLING == 1
static void step(int n, const float *restrict c, const float *restrict speed, const float *restrict now,
                 float *restrict other)
{
#pragma acc parallel loop collapse(3) present(speed[0:n * n * n], now[0:n * n * n], other[0:n * n * n]) copyin(c[0:REACH + 1])
#pragma omp parallel for collapse(3)
    for (int z = REACH; z < n - REACH; z++)
        for (int y = REACH; y < n - REACH; y++)
            for (int x = REACH; x < n - REACH; x++) {
                int at = (z * n + y) * n + x;
                float sum = 3 * c[0] * now[at];
                for (int r = 1; r <= REACH; r++)
                    sum += c[r] * (now[at - r] + now[at + r] + now[at - r * n] + now[at + r * n] + now[at - r * n * n] +
                                   now[at + r * n * n]);
                other[at] = 2 * now[at] - other[at] + speed[at] * sum;
            }
}
#elif SPELLING == 3
#define D2(s) (c1 * (u[p - (s)] + u[p + (s)]) + c2 * (u[p - 2 * (s)] + u[p + 2 * (s)]) + c3 * (u[p - 3 * (s)] + u[p + 3 * (s)]) + c4 * (u[p - 4 * (s)] + u[p + 4 * (s)]))
static void step(int n, float *c, float *speed, float *u, float *v)
{
    const float c0 = 3 * c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4];
    const int n2 = n * n;
#pragma acc parallel loop gang collapse(2) present(speed[0:n * n2], u[0:n * n2], v[0:n * n2])
    for (int z = REACH; z < n - REACH; z++)
        for (int y = REACH; y < n - REACH; y++) {
#pragma acc loop vector
            for (int x = REACH; x < n - REACH; x++) {
                const int p = z * n2 + y * n + x;
                float lap = c0 * u[p] + D2(1) + D2(n) + D2(n2);
                v[p] = 2.0f * u[p] - v[p] + speed[p] * lap;
            }
        }
}
#elif SPELLING == 4
static void step(int n, const float *restrict c, const float *restrict pspeed, const float *restrict pu, float *restrict pv)
{
    const float(*u)[n][n] = (const float(*)[n][n])pu, (*speed)[n][n] = (const float(*)[n][n])pspeed;
    float(*v)[n][n] = (float(*)[n][n])pv;
    const int x_m = REACH, x_M = n - REACH - 1;
#pragma acc parallel loop collapse(3) present(u[0:n], v[0:n], speed[0:n], c[0:REACH + 1])
    for (int x = x_m; x <= x_M; x += 1)
        for (int y = x_m; y <= x_M; y += 1)
            for (int z = x_m; z <= x_M; z += 1) {
                float r0 = c[0] * u[x][y][z], r1 = r0, r2 = r0;
                for (int r = 1; r <= REACH; r++)
                    r0 += c[r] * (u[x - r][y][z] + u[x + r][y][z]);
                for (int r = 1; r <= REACH; r++)
                    r1 += c[r] * (u[x][y - r][z] + u[x][y + r][z]);
                for (int r = 1; r <= REACH; r++)
                    r2 += c[r] * (u[x][y][z - r] + u[x][y][z + r]);
                v[x][y][z] = (r0 + r1 + r2) * speed[x][y][z] + 2.0F * u[x][y][z] - v[x][y][z];
            }
}
#else
#define SIDES(p, r, step) ((p)[(long)(r) * (step)] + (p)[-(long)(r) * (step)])

static void step(size_t n, float *c, float *speed, float *now, float *other)
{
    float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4];
#pragma acc parallel present(speed[0:n * n * n], now[0:n * n * n], other[0:n * n * n])
#pragma acc loop gang
#pragma omp parallel for
    for (size_t z = REACH; z < n - REACH; ++z) {
#pragma acc loop worker
        for (size_t y = REACH; y < n - REACH; ++y) {
#pragma acc loop vector
            for (size_t x = REACH; x < n - REACH; ++x) {
                float *p = now + z * n * n + y * n + x, *q = other + z * n * n + y * n + x;
                float sum = 3 * c0 * *p;
                sum += c1 * (SIDES(p, 1, 1) + SIDES(p, 1, n) + SIDES(p, 1, n * n));
                sum += c2 * (SIDES(p, 2, 1) + SIDES(p, 2, n) + SIDES(p, 2, n * n));
                sum += c3 * (SIDES(p, 3, 1) + SIDES(p, 3, n) + SIDES(p, 3, n * n));
                sum += c4 * (SIDES(p, 4, 1) + SIDES(p, 4, n) + SIDES(p, 4, n * n));
                *q = 2 * *p - *q + speed[p - now] * sum;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n;
    float c[REACH + 1] = {-2.847222f, 1.6f, -0.2f, 0.025397f, -0.001786f};
    float *speed = NEW(float, all), *a = NEW(float, all), *b = NEW(float, all);
    double sum = 0;
    FILL(speed, all, 0.1);
    FILL(a, all, 1);
    FILL(b, all, 1);
#pragma acc enter data copyin(speed[0:all], a[0:all], b[0:all], c[0:REACH + 1])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        step(n, c, speed, a, b);
        float *swap = a;
        a = b, b = swap;
    }
#pragma acc update self(a[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(a[k]) * (1 + k % 7);
    report("wave", t.best, sum);
    return 0;
}
