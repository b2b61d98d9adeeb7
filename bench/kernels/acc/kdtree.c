// The nearest of 2^17 points in space to each of 2^18 others, float: a walk through a balanced tree of planes that keeps the far sides
// on a stack of its own. The tree is the order of the points: the middle of a range divides it.
#include "../kernels.h"

enum { POINTS = 1 << 17, QUERIES = 1 << 18, DEEP = 24 };

typedef struct { float x[3]; int number; } point;

#if SPELLING == 1
static void nearest(int n, int queries, const point *restrict tree, const float *restrict qx, const float *restrict qy,
                    const float *restrict qz, int *restrict found)
{
#pragma acc parallel loop present(tree[0:n], qx[0:queries], qy[0:queries], qz[0:queries], found[0:queries])
#pragma omp parallel for
    for (int q = 0; q < queries; q++) {
        float at[3] = {qx[q], qy[q], qz[q]}, best = 1e30f, gap[DEEP];
        int low[DEEP], high[DEEP], axis[DEEP], top = 1, which = -1;
        low[0] = 0, high[0] = n, axis[0] = 0, gap[0] = 0;
        while (top > 0) {
            top--;
            if (gap[top] >= best)
                continue;
            int first = low[top], end = high[top], a = axis[top];
            while (first < end) {
                int middle = (first + end) / 2;
                float dx = at[0] - tree[middle].x[0], dy = at[1] - tree[middle].x[1], dz = at[2] - tree[middle].x[2];
                float distance = dx * dx + dy * dy + dz * dz, side = a == 0 ? dx : a == 1 ? dy : dz;
                if (distance < best) {
                    best = distance;
                    which = tree[middle].number;
                }
                a = a == 2 ? 0 : a + 1;
                low[top] = side < 0 ? middle + 1 : first;
                high[top] = side < 0 ? end : middle;
                if (low[top] < high[top] && side * side < best) {
                    axis[top] = a;
                    gap[top] = side * side;
                    top++;
                }
                if (side < 0)
                    end = middle;
                else
                    first = middle + 1;
            }
        }
        found[q] = which;
    }
}
#else
struct range { const point *first, *end; int axis; float gap; };

static float distance(const float *p, const float *q)
{
    float sum = 0;
    for (int d = 0; d < 3; ++d)
        sum += (p[d] - q[d]) * (p[d] - q[d]);
    return sum;
}

static void nearest(size_t n, size_t queries, point *tree, float *qx, float *qy, float *qz, int *found)
{
#pragma acc kernels present(tree[0:n], qx[0:queries], qy[0:queries], qz[0:queries], found[0:queries])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t q = 0; q < queries; ++q) {
        const float at[3] = {qx[q], qy[q], qz[q]};
        struct range stack[DEEP], now = {tree, tree + n, 0, 0};
        float best = INFINITY;
        int waiting = 0, which = -1;
        for (;;) {
            if (now.first == now.end || now.gap >= best) {
                if (waiting == 0)
                    break;
                now = stack[--waiting];
                continue;
            }
            const point *middle = now.first + (now.end - now.first) / 2;
            float d = distance(at, middle->x), side = at[now.axis] - middle->x[now.axis];
            if (d < best) {
                best = d;
                which = middle->number;
            }
            struct range far = now;
            far.axis = now.axis = (now.axis + 1) % 3;
            if (side < 0) {
                now.end = middle;
                far.first = middle + 1;
            } else {
                now.first = middle + 1;
                far.end = middle;
            }
            far.gap = side * side;
            if (far.gap < best)
                stack[waiting++] = far;
            now.gap = 0;
        }
        found[q] = which;
    }
}
#endif

static int sorted_by;
static int compare(const void *a, const void *b)
{
    float p = ((const point *)a)->x[sorted_by], q = ((const point *)b)->x[sorted_by];
    return (p > q) - (p < q);
}

static void divide(point *p, int n, int axis)
{
    if (n < 2)
        return;
    sorted_by = axis;
    qsort(p, n, sizeof *p, compare);
    divide(p, n / 2, (axis + 1) % 3);
    divide(p + n / 2 + 1, n - n / 2 - 1, (axis + 1) % 3);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, queries = QUERIES >> args.shift, *found = NEW(int, queries);
    point *given = NEW(point, n), *tree = NEW(point, n);
    float *qx = NEW(float, queries), *qy = NEW(float, queries), *qz = NEW(float, queries);
    double sum = 0;
    for (int k = 0; k < n; k++)
        given[k] = tree[k] = (point){{number(3 * k), number(3 * k + 1), number(3 * k + 2)}, k};
    divide(tree, n, 0);
    for (int k = 0; k < queries; k++) {
        qx[k] = number(5 * k + 7);
        qy[k] = number(5 * k + 8);
        qz[k] = number(5 * k + 9);
    }
#pragma acc enter data copyin(tree[0:n], qx[0:queries], qy[0:queries], qz[0:queries]) create(found[0:queries])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        nearest(n, queries, tree, qx, qy, qz, found);
#pragma acc update self(found[0:queries])
    // distances, as of two points at the same distance either may be found
    for (int k = 0; k < queries; k++) {
        const float *p = given[found[k]].x;
        sum += sqrt((p[0] - qx[k]) * (p[0] - qx[k]) + (p[1] - qy[k]) * (p[1] - qy[k]) + (p[2] - qz[k]) * (p[2] - qz[k]));
    }
    report("kdtree", t.best, sum);
    return 0;
}
