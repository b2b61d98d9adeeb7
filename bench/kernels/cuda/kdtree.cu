// The nearest of 2^17 points in space to each of 2^18 others, float: a thread a query, with a stack of its own for the far sides of the
// tree's planes; a point and its number in one load.
#include "kernels.cuh"

constexpr int POINTS = 1 << 17, QUERIES = 1 << 18, DEEP = 24;

struct point {
    float x[3];
    int number;
};

__global__ void nearest(int n, int queries, const float4 *__restrict__ tree, const float *__restrict__ qx,
                        const float *__restrict__ qy, const float *__restrict__ qz, int *__restrict__ found)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries)
        return;
    float x = qx[q], y = qy[q], z = qz[q], best = 1e30f, gap[DEEP];
    int2 range[DEEP];
    int axis[DEEP], top = 1, which = -1;
    range[0] = make_int2(0, n), axis[0] = 0, gap[0] = 0;
    while (top > 0) {
        top--;
        if (gap[top] >= best)
            continue;
        int first = range[top].x, end = range[top].y, a = axis[top];
        while (first < end) {
            int middle = (first + end) / 2;
            float4 p = tree[middle];
            float dx = x - p.x, dy = y - p.y, dz = z - p.z;
            float distance = dx * dx + dy * dy + dz * dz, side = a == 0 ? dx : a == 1 ? dy : dz;
            if (distance < best) {
                best = distance;
                which = __float_as_int(p.w);
            }
            a = a == 2 ? 0 : a + 1;
            int2 far = side < 0 ? make_int2(middle + 1, end) : make_int2(first, middle);
            if (far.x < far.y && side * side < best) {
                range[top] = far;
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
        given[k] = tree[k] = point{{(float)number(3 * k), (float)number(3 * k + 1), (float)number(3 * k + 2)}, k};
    divide(tree, n, 0);
    for (int k = 0; k < queries; k++) {
        qx[k] = number(5 * k + 7);
        qy[k] = number(5 * k + 8);
        qz[k] = number(5 * k + 9);
    }
    float4 *dtree = reinterpret_cast<float4 *>(on_device(tree, n));
    float *dx = on_device(qx, queries), *dy = on_device(qy, queries), *dz = on_device(qz, queries);
    int *dfound = device<int>(queries);
    double best = fastest(args.repeats, [&] { nearest<<<ceiling(queries, 128), 128>>>(n, queries, dtree, dx, dy, dz, dfound); });
    to_host(found, dfound, queries);
    // distances, as of two points at the same distance either may be found
    for (int k = 0; k < queries; k++) {
        const float *p = given[found[k]].x;
        sum += sqrt((p[0] - qx[k]) * (p[0] - qx[k]) + (p[1] - qy[k]) * (p[1] - qy[k]) + (p[2] - qz[k]) * (p[2] - qz[k]));
    }
    report("kdtree", best, sum);
    return 0;
}
