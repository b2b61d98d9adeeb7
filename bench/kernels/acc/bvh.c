// Distances from an eye to a terrain of 131072 triangles along 1024 x 768 rays, float, through a hierarchy of boxes
// made by the host: a stack for each ray, the nearer of two boxes first, what is behind the hit so far is left out.
#include "../kernels.h"

enum { WIDTH = 1024, HEIGHT = 768, SQUARES = 256, DEPTH = 32 };

struct node {
    float low[3], high[3];
    int child, count;
};

static float corner_of(int x, int y, int axis)
{
    float fx = x / (float)SQUARES, fy = y / (float)SQUARES;
    if (axis < 2)
        return axis ? fy : fx;
    return 0.06f * sinf(9 * fx + 2) * cosf(7 * fy) + 0.02f * sinf(41 * fx + 13 * fy) +
           0.004f * (float)number(y * 977 + x);
}

static void order_of(int *order, const float *centre, int axis, int begin, int end, int middle)
{
    while (end - begin > 1) {
        float pivot = centre[3 * order[(begin + end) / 2] + axis];
        int i = begin, j = end - 1;
        while (i <= j) {
            while (centre[3 * order[i] + axis] < pivot)
                i++;
            while (centre[3 * order[j] + axis] > pivot)
                j--;
            if (i <= j) {
                int swap = order[i];
                order[i++] = order[j];
                order[j--] = swap;
            }
        }
        if (middle <= j)
            end = j + 1;
        else if (middle >= i)
            begin = i;
        else
            break;
    }
}

// Divides the triangles from `begin` to `end` until there are at most four; gives the number of nodes.
static int divide(struct node *nodes, int at, int used, int *order, const float *centre, const float *corners,
                  int begin, int end)
{
    struct node *n = &nodes[at];
    float low[3] = {1e30f, 1e30f, 1e30f}, high[3] = {-1e30f, -1e30f, -1e30f};
    for (int k = begin; k < end; k++)
        for (int c = 0; c < 9; c++) {
            low[c % 3] = fminf(low[c % 3], corners[9 * order[k] + c]);
            high[c % 3] = fmaxf(high[c % 3], corners[9 * order[k] + c]);
        }
    int axis = 0;
    for (int a = 0; a < 3; a++) {
        n->low[a] = low[a];
        n->high[a] = high[a];
        if (high[a] - low[a] > high[axis] - low[axis])
            axis = a;
    }
    n->count = end - begin <= 4 ? end - begin : 0;
    n->child = n->count ? begin : used;
    if (n->count)
        return used;
    int middle = (begin + end) / 2;
    order_of(order, centre, axis, begin, end, middle);
    int left = used;
    used = divide(nodes, left, used + 2, order, centre, corners, begin, middle);
    return divide(nodes, left + 1, used, order, centre, corners, middle, end);
}

// Triangles as a corner and two edges, with a number after each that is not used.
static int terrain(struct node *nodes, float *triangles)
{
    static const int dx[2][3] = {{0, 1, 0}, {1, 0, 1}}, dy[2][3] = {{0, 0, 1}, {1, 1, 0}};
    int n = 2 * SQUARES * SQUARES, *order = NEW(int, n);
    float *corners = NEW(float, 9 * n), *centre = NEW(float, 3 * n);
    for (int k = 0; k < n; k++) {
        order[k] = k;
        for (int c = 0; c < 9; c++)
            corners[9 * k + c] =
                corner_of(k / 2 % SQUARES + dx[k % 2][c / 3], k / 2 / SQUARES + dy[k % 2][c / 3], c % 3);
        for (int a = 0; a < 3; a++)
            centre[3 * k + a] = (corners[9 * k + a] + corners[9 * k + 3 + a] + corners[9 * k + 6 + a]) / 3;
    }
    int used = divide(nodes, 0, 1, order, centre, corners, 0, n);
    for (int k = 0; k < n; k++)
        for (int a = 0; a < 4; a++) {
            const float *c = corners + 9 * order[k];
            triangles[12 * k + a] = a < 3 ? c[a] : 0;
            triangles[12 * k + 4 + a] = a < 3 ? c[3 + a] - c[a] : 0;
            triangles[12 * k + 8 + a] = a < 3 ? c[6 + a] - c[a] : 0;
        }
    free(order);
    free(corners);
    free(centre);
    return used;
}
#define FAR 1e30f
// Triangles overlap a little, lest a ray finds a way between two.
#define RIM 1e-4f

#if SPELLING == 1
static inline float enter(const struct node *n, const float o[3], const float inverse[3], float nearest)
{
    float begin = 0, end = nearest;
    for (int a = 0; a < 3; a++) {
        float t0 = (n->low[a] - o[a]) * inverse[a], t1 = (n->high[a] - o[a]) * inverse[a];
        begin = fmaxf(begin, fminf(t0, t1));
        end = fminf(end, fmaxf(t0, t1));
    }
    return begin <= end ? begin : FAR;
}

static inline float meet(const float *t, const float o[3], const float d[3])
{
    float px = d[1] * t[10] - d[2] * t[9], py = d[2] * t[8] - d[0] * t[10], pz = d[0] * t[9] - d[1] * t[8];
    float inverse = 1 / (t[4] * px + t[5] * py + t[6] * pz), sx = o[0] - t[0], sy = o[1] - t[1], sz = o[2] - t[2];
    float u = (sx * px + sy * py + sz * pz) * inverse;
    float qx = sy * t[6] - sz * t[5], qy = sz * t[4] - sx * t[6], qz = sx * t[5] - sy * t[4];
    float v = (d[0] * qx + d[1] * qy + d[2] * qz) * inverse;
    float at = (t[8] * qx + t[9] * qy + t[10] * qz) * inverse;
    return u >= -RIM && v >= -RIM && u + v <= 1 + RIM && at > 0 ? at : FAR;
}

static void trace(int width, int height, int used, int count, const struct node *restrict nodes,
                  const float *restrict triangles, float *restrict depth, int *restrict which)
{
#pragma acc parallel loop collapse(2) present(nodes[0:used], triangles[0:12 * count], depth[0:width * height]) \
    present(which[0:width * height])
#pragma omp parallel for
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float o[3] = {0.5f, -0.4f, 0.5f};
            float d[3] = {(x + 0.5f) / width - 0.501f, 1, -0.75f * (y + 0.5f) / height - 0.1f}, inverse[3];
            for (int a = 0; a < 3; a++)
                inverse[a] = 1 / d[a];
            int stack[DEPTH], top = 0, hit = -1;
            float nearest = FAR;
            if (enter(&nodes[0], o, inverse, nearest) < FAR)
                stack[top++] = 0;
            while (top > 0) {
                const struct node *n = &nodes[stack[--top]];
                if (n->count) {
                    for (int k = n->child; k < n->child + n->count; k++) {
                        float t = meet(triangles + 12 * k, o, d);
                        if (t < nearest) {
                            nearest = t;
                            hit = k;
                        }
                    }
                    continue;
                }
                int left = n->child, right = left + 1;
                float a = enter(&nodes[left], o, inverse, nearest), b = enter(&nodes[right], o, inverse, nearest);
                if (a > b) {
                    if (a < FAR)
                        stack[top++] = left;
                    stack[top++] = right;
                } else if (a < FAR) {
                    if (b < FAR)
                        stack[top++] = right;
                    stack[top++] = left;
                }
            }
            depth[y * width + x] = hit < 0 ? 0 : nearest;
            which[y * width + x] = hit;
        }
}
#else
typedef struct { float x, y, z; } vec;
typedef struct { vec corner; float a; vec first; float b; vec second; float c; } triangle;
typedef struct { vec from, along, inverse; float reach; } ray;

static inline vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define MORE(a, b) ((a) > (b) ? (a) : (b))
#define SLAB(axis, k)                                                        \
    {                                                                        \
        float s = (n->low[k] - r->from.axis) * r->inverse.axis;              \
        float e = (n->high[k] - r->from.axis) * r->inverse.axis;             \
        begin = MORE(begin, LESS(s, e));                                     \
        end = LESS(end, MORE(s, e));                                         \
    }

static int enters(const struct node *n, const ray *r, float *at)
{
    float begin = 0, end = r->reach;
    SLAB(x, 0)
    SLAB(y, 1)
    SLAB(z, 2)
    *at = begin;
    return begin <= end;
}

static int meets(const triangle *t, ray *r)
{
    vec p = cross(r->along, t->second), s = minus(r->from, t->corner), q = cross(s, t->first);
    float inverse = 1 / dot(t->first, p), u = dot(s, p) * inverse, v = dot(r->along, q) * inverse;
    float at = dot(t->second, q) * inverse;
    if (u < -RIM || v < -RIM || u + v > 1 + RIM || at <= 0 || at >= r->reach)
        return 0;
    r->reach = at;
    return 1;
}

static void trace(long width, long height, long used, long count, struct node *nodes, float *numbers, float *depth,
                  int *which)
{
    triangle *triangles = (triangle *)numbers;
#pragma acc parallel loop gang vector vector_length(128) present(nodes[0:used], triangles[0:count]) \
    present(depth[0:width * height], which[0:width * height])
#pragma omp parallel for
    for (long k = 0; k < width * height; ++k) {
        ray r;
        int stack[DEPTH], *top = stack, at = 0;
        r.from = (vec){0.5f, -0.4f, 0.5f};
        r.along = (vec){(k % width + 0.5f) / width - 0.501f, 1, -0.75f * (k / width + 0.5f) / height - 0.1f};
        r.inverse = (vec){1 / r.along.x, 1 / r.along.y, 1 / r.along.z};
        r.reach = FAR;
        which[k] = -1;
        *top++ = -1;
        do {
            const struct node *n = nodes + at;
            if (n->count > 0) {
                for (int c = 0; c < n->count; ++c)
                    if (meets(triangles + n->child + c, &r))
                        which[k] = n->child + c;
                at = *--top;
            } else {
                float left, right;
                int in_left = enters(nodes + n->child, &r, &left), in_right = enters(nodes + n->child + 1, &r, &right);
                if (in_left && in_right) {
                    at = n->child + (right < left);
                    *top++ = n->child + !(right < left);
                } else if (in_left || in_right)
                    at = n->child + in_right;
                else
                    at = *--top;
            }
        } while (at >= 0);
        depth[k] = which[k] < 0 ? 0 : r.reach;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int width = WIDTH, height = HEIGHT >> args.shift, count = 2 * SQUARES * SQUARES, *which = NEW(int, width * height);
    struct node *nodes = NEW(struct node, 2 * count);
    float *triangles = NEW(float, 12 * count), *depth = NEW(float, width * height);
    int used = terrain(nodes, triangles);
    double sum = 0;
#pragma acc enter data copyin(nodes[0:used], triangles[0:12 * count]) \
    create(depth[0:width * height], which[0:width * height])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        trace(width, height, used, count, nodes, triangles, depth, which);
#pragma acc update self(depth[0:width * height])
    SUM(sum, depth, width * height);
    report("bvh", t.best, sum);
    return 0;
}
