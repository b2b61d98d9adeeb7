// Hausdorff distance of two clouds of points in space, float: the largest of the shortest distances, 32768 points each.
#include "../kernels.h"

enum { POINTS = 1 << 15 };

struct point {
    float x, y, z;
};

#if SPELLING == 1
static float distance(int n, const struct point *restrict a, const struct point *restrict b)
{
    float largest = 0;
#pragma acc parallel loop present(a[0:n], b[0:n]) reduction(max : largest)
#pragma omp parallel for reduction(max : largest)
    for (int i = 0; i < n; i++) {
        float shortest = 1e30f;
        for (int j = 0; j < n; j++) {
            float dx = a[i].x - b[j].x, dy = a[i].y - b[j].y, dz = a[i].z - b[j].z;
            float d = dx * dx + dy * dy + dz * dz;
            if (d < shortest)
                shortest = d;
        }
        if (shortest > largest)
            largest = shortest;
    }
    return sqrtf(largest);
}
#else
#define SQUARE(v) ((v) * (v))

#pragma acc routine seq
static float apart(const struct point *p, const struct point *q)
{
    return SQUARE(p->x - q->x) + SQUARE(p->y - q->y) + SQUARE(p->z - q->z);
}

static float distance(unsigned n, struct point *a, struct point *b)
{
    float largest = 0;
#pragma acc parallel loop gang vector present(a[0:n], b[0:n]) reduction(max : largest)
#pragma omp parallel for reduction(max : largest)
    for (unsigned i = 0; i < n; ++i) {
        struct point here = a[i];
        float shortest = apart(&here, &b[0]);
        for (const struct point *p = b + 1; p != b + n; ++p)
            shortest = fminf(shortest, apart(&here, p));
        largest = fmaxf(largest, shortest);
    }
    return sqrtf(largest);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift;
    struct point *a = NEW(struct point, n), *b = NEW(struct point, n);
    float result = 0;
    for (int i = 0; i < n; i++) {
        a[i] = (struct point){number(6 * i), number(6 * i + 1), number(6 * i + 2)};
        b[i] = (struct point){number(6 * i + 3), number(6 * i + 4), number(6 * i + 5) * 0.9f};
    }
#pragma acc enter data copyin(a[0:n], b[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        result = distance(n, a, b);
    report("hausdorff", t.best, result);
    return 0;
}
