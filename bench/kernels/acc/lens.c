// Light of a distant source through a galaxy's stars, float: 1024 x 512 rays are deflected by 1024 point masses, a smooth sheet and a shear,
// and counted in 256 x 256 pixels of the source's plane.
#include "../kernels.h"

enum { WIDE = 1024, HIGH = 512, STARS = 1024, PIXELS = 256 };

#define SHEET 0.2f
#define SHEAR 0.15f
#define HALF 12.0f
#define SOURCE 12.0f

#if SPELLING == 1
static void shoot(int wide, int high, const float *restrict x, const float *restrict y, const float *restrict mass, int *restrict map)
{
#pragma acc parallel loop present(map[0:PIXELS * PIXELS])
#pragma omp parallel for simd
    for (int p = 0; p < PIXELS * PIXELS; p++)
        map[p] = 0;
#pragma acc parallel loop collapse(2) present(x[0:STARS], y[0:STARS], mass[0:STARS], map[0:PIXELS * PIXELS])
#pragma omp parallel for collapse(2)
    for (int j = 0; j < high; j++)
        for (int i = 0; i < wide; i++) {
            float rx = HALF * (2 * (i + 0.5f) / wide - 1), ry = HALF * (2 * (j + 0.5f) / high - 1), ax = 0, ay = 0;
            for (int s = 0; s < STARS; s++) {
                float dx = rx - x[s], dy = ry - y[s], pull = mass[s] / (dx * dx + dy * dy + 1e-6f);
                ax += pull * dx;
                ay += pull * dy;
            }
            float sx = (1 - SHEET - SHEAR) * rx - ax, sy = (1 - SHEET + SHEAR) * ry - ay;
            int px = (int)floorf((sx + SOURCE) * (PIXELS / (2 * SOURCE))), py = (int)floorf((sy + SOURCE) * (PIXELS / (2 * SOURCE)));
            if (px >= 0 && px < PIXELS && py >= 0 && py < PIXELS) {
#pragma acc atomic update
#pragma omp atomic
                map[py * PIXELS + px]++;
            }
        }
}
#else
typedef struct { float x, y; } point;
struct star { point at; float mass; };

static inline point deflect(point ray, const struct star *s, const struct star *end)
{
    point bent = {(1 - SHEET - SHEAR) * ray.x, (1 - SHEET + SHEAR) * ray.y};
    while (s != end) {
        point d = {ray.x - s->at.x, ray.y - s->at.y};
        float pull = s->mass / (d.x * d.x + d.y * d.y + 1e-6f);
        bent.x -= pull * d.x;
        bent.y -= pull * d.y;
        ++s;
    }
    return bent;
}

static void shoot(unsigned wide, unsigned high, struct star *stars, int (*map)[PIXELS])
{
#pragma acc kernels present(map[0:PIXELS])
#pragma omp parallel for
    for (unsigned p = 0; p < PIXELS; ++p)
        for (unsigned q = 0; q < PIXELS; ++q)
            map[p][q] = 0;
#pragma acc parallel loop gang vector vector_length(256) present(stars[0:STARS], map[0:PIXELS])
#pragma omp parallel for
    for (unsigned r = 0; r < wide * high; ++r) {
        point ray = {HALF * (2 * (r % wide + 0.5f) / wide - 1), HALF * (2 * (r / wide + 0.5f) / high - 1)};
        point there = deflect(ray, stars, stars + STARS);
        float px = (there.x + SOURCE) / (2 * SOURCE) * PIXELS, py = (there.y + SOURCE) / (2 * SOURCE) * PIXELS;
        if (!(px >= 0 && px < PIXELS && py >= 0 && py < PIXELS))
            continue;
#pragma acc atomic
#pragma omp atomic
        map[(unsigned)py][(unsigned)px] += 1;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int wide = WIDE, high = HIGH >> args.shift, *map = NEW(int, PIXELS * PIXELS);
    double sum = 0;
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    float *x = NEW(float, STARS), *y = NEW(float, STARS), *mass = NEW(float, STARS);
    for (int s = 0; s < STARS; s++) {
        x[s] = 1.5f * HALF * (2 * number(2 * s) - 1);
        y[s] = 1.5f * HALF * (2 * number(2 * s + 1) - 1);
        mass[s] = 0.05 + 0.1 * number(s + STARS);
    }
#pragma acc enter data copyin(x[0:STARS], y[0:STARS], mass[0:STARS]) create(map[0:PIXELS * PIXELS])
    while (lap(&t))
        shoot(wide, high, x, y, mass, map);
#else
    struct star *stars = NEW(struct star, STARS);
    for (int s = 0; s < STARS; s++) {
        stars[s].at.x = 1.5f * HALF * (2 * number(2 * s) - 1);
        stars[s].at.y = 1.5f * HALF * (2 * number(2 * s + 1) - 1);
        stars[s].mass = 0.05 + 0.1 * number(s + STARS);
    }
#pragma acc enter data copyin(stars[0:STARS]) create(map[0:PIXELS * PIXELS])
    while (lap(&t))
        shoot(wide, high, stars, (int(*)[PIXELS])map);
#endif
#pragma acc update self(map[0:PIXELS * PIXELS])
    // Rounding moves a few rays to the next pixel; weights differ little there.
    for (int p = 0; p < PIXELS * PIXELS; p++)
        sum += map[p] * (1 + p % PIXELS / 1024.0 + p / PIXELS / 2048.0);
    report("lens", t.best, sum);
    return 0;
}
