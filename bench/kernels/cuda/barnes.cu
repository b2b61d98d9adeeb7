// Gravity of 2^17 stars by the tree of Barnes and Hut, float: a thread a star, the walk goes by the cells' order without a stack; vectors of four floats.
#include "kernels.cuh"

enum { BODIES = 1 << 17, LEVELS = 10, LEAF = 8, WIDTH = 100 };
#define ANGLE 0.6
#define SOFT 0.01f

struct body { float x, y, z, mass; unsigned key; };
struct cell { float x, y, z, mass, size2; int first, count, skip, child[8]; };

__device__ __forceinline__ void attract(float4 &sum, float4 d, float r2)
{
    float over = rsqrtf(r2 + SOFT), pull = d.w * over, cubed = pull * over * over;
    sum.x += cubed * d.x;
    sum.y += cubed * d.y;
    sum.z += cubed * d.z;
    sum.w -= pull;
}

// `centre` has a cell's place and mass; `rest` its size, the next cell outside of it, the first of its stars and their number.
__global__ void __launch_bounds__(128) walk(int n, int cells, const float4 *__restrict__ stars, const float4 *__restrict__ centre,
                                            const int4 *__restrict__ rest, float4 *__restrict__ pulls)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 me = stars[i], sum = make_float4(0, 0, 0, 0);
    int c = 0;
    while (c < cells) {
        float4 d = __ldg(&centre[c]);
        int4 more = __ldg(&rest[c]);
        d.x -= me.x;
        d.y -= me.y;
        d.z -= me.z;
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        if (__int_as_float(more.x) < r2) {
            attract(sum, d, r2);
            c = more.y;
        } else if (more.w > 0) {
            for (int j = more.z; j < more.z + more.w; j++)
                if (j != i) {
                    float4 e = __ldg(&stars[j]);
                    e.x -= me.x;
                    e.y -= me.y;
                    e.z -= me.z;
                    attract(sum, e, e.x * e.x + e.y * e.y + e.z * e.z);
                }
            c = more.y;
        } else
            c++;
    }
    pulls[i] = sum;
}

static int by_key(const void *a, const void *b)
{
    const struct body *p = (const struct body *)a, *q = (const struct body *)b;
    return p->key != q->key ? (p->key > q->key) - (p->key < q->key) : (p->x > q->x) - (p->x < q->x);
}

static unsigned spread(unsigned v)
{
    unsigned key = 0;
    for (int b = 0; b < LEVELS; b++)
        key |= (v >> b & 1) << 3 * b;
    return key;
}

// A ball of stars, denser at its centre, along Morton's curve.
static void stars(int n, struct body *bodies)
{
    for (int i = 0; i < n; i++) {
        double r = 0.5 * WIDTH * sqrt(number(3 * i)), z = 2 * number(3 * i + 1) - 1, turn = 6.283185307 * number(3 * i + 2), flat = sqrt(1 - z * z);
        struct body *b = &bodies[i];
        b->x = r * flat * cos(turn);
        b->y = r * flat * sin(turn);
        b->z = r * z;
        b->mass = 0.5 + number(i + 900001);
        b->key = spread((unsigned)((b->x / WIDTH + 0.5) * 1023)) | spread((unsigned)((b->y / WIDTH + 0.5) * 1023)) << 1 |
                 spread((unsigned)((b->z / WIDTH + 0.5) * 1023)) << 2;
    }
    qsort(bodies, n, sizeof *bodies, by_key);
}

static int used;

// Cells in the order of a walk: a cell is followed by its first child; `skip` is what comes after all that is inside of it.
static int build(const struct body *bodies, int first, int last, int level, struct cell *cells)
{
    struct cell *c = &cells[used++];
    double mass = 0, x = 0, y = 0, z = 0;
    for (int i = first; i < last; i++) {
        mass += bodies[i].mass;
        x += bodies[i].mass * bodies[i].x;
        y += bodies[i].mass * bodies[i].y;
        z += bodies[i].mass * bodies[i].z;
    }
    c->x = x / mass;
    c->y = y / mass;
    c->z = z / mass;
    c->mass = mass;
    c->size2 = (float)WIDTH / (1 << level) * WIDTH / (1 << level) / (ANGLE * ANGLE);
    c->first = first;
    c->count = 0;
    for (int k = 0; k < 8; k++)
        c->child[k] = -1;
    if (last - first <= LEAF || level == LEVELS)
        c->count = last - first;
    else
        for (int k = 0, at = first; k < 8; k++) {
            int end = at;
            while (end < last && (bodies[end].key >> 3 * (LEVELS - 1 - level) & 7) == (unsigned)k)
                end++;
            if (end > at) {
                c->child[k] = used;
                build(bodies, at, end, level + 1, cells);
            }
            at = end;
        }
    c->skip = used;
    return used;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BODIES >> args.shift;
    struct body *bodies = NEW(struct body, n);
    struct cell *tree = NEW(struct cell, 2 * n);
    double sum = 0;
    stars(n, bodies);
    int cells = build(bodies, 0, n, 0, tree);
    float4 *at = NEW(float4, n), *centre = NEW(float4, cells), *pulls = NEW(float4, n);
    int4 *rest = NEW(int4, cells);
    for (int i = 0; i < n; i++)
        at[i] = make_float4(bodies[i].x, bodies[i].y, bodies[i].z, bodies[i].mass);
    for (int c = 0; c < cells; c++) {
        union { float f; int i; } size = {tree[c].size2};
        centre[c] = make_float4(tree[c].x, tree[c].y, tree[c].z, tree[c].mass);
        rest[c] = make_int4(size.i, tree[c].skip, tree[c].first, tree[c].count);
    }
    float4 *dat = on_device(at, n), *dcentre = on_device(centre, cells), *dpulls = device<float4>(n);
    int4 *drest = on_device(rest, cells);
    double best = fastest(args.repeats, [&] { walk<<<ceiling(n, 128), 128>>>(n, cells, dat, dcentre, drest, dpulls); });
    to_host(pulls, dpulls, n);
    for (int i = 0; i < n; i++)
        sum += fabs(pulls[i].x) + fabs(pulls[i].y) + fabs(pulls[i].z) - pulls[i].w;
    report("barnes", best, sum);
    return 0;
}
