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
