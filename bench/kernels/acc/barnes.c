// Gravity of 2^17 stars by the tree of Barnes and Hut, float: each star walks through an octree made by the host, takes a cell as one mass where it looks
// small and its stars one by one in a leaf; accelerations and potentials.
#include "../kernels.h"

enum { BODIES = 1 << 17, LEVELS = 10, LEAF = 8, WIDTH = 100 };
#define ANGLE 0.6
#define SOFT 0.01f

struct body { float x, y, z, mass; unsigned key; };
struct cell { float x, y, z, mass, size2; int first, count, skip, child[8]; };

#if SPELLING == 1
static void walk(int n, int cells, const float *restrict x, const float *restrict y, const float *restrict z, const float *restrict mass,
                 const float *restrict cx, const float *restrict cy, const float *restrict cz, const float *restrict cmass, const float *restrict size2,
                 const int *restrict first, const int *restrict count, const int *restrict skip, float *restrict ax, float *restrict ay, float *restrict az,
                 float *restrict potential)
{
#pragma acc parallel loop gang vector vector_length(128) present(x[0:n], y[0:n], z[0:n], mass[0:n], cx[0:cells], cy[0:cells], cz[0:cells], cmass[0:cells], \
                                                                     size2[0:cells], first[0:cells], count[0:cells], skip[0:cells], ax[0:n], ay[0:n],     \
                                                                     az[0:n], potential[0:n])
#pragma omp parallel for schedule(dynamic, 256)
    for (int i = 0; i < n; i++) {
        float xi = x[i], yi = y[i], zi = z[i], gx = 0, gy = 0, gz = 0, sum = 0;
        int c = 0;
        while (c < cells) {
            float dx = cx[c] - xi, dy = cy[c] - yi, dz = cz[c] - zi, r2 = dx * dx + dy * dy + dz * dz;
            if (size2[c] < r2) {
                float over = 1 / sqrtf(r2 + SOFT), pull = cmass[c] * over * over * over;
                gx += pull * dx;
                gy += pull * dy;
                gz += pull * dz;
                sum -= cmass[c] * over;
                c = skip[c];
            } else if (count[c] > 0) {
                for (int j = first[c]; j < first[c] + count[c]; j++)
                    if (j != i) {
                        float ex = x[j] - xi, ey = y[j] - yi, ez = z[j] - zi, over = 1 / sqrtf(ex * ex + ey * ey + ez * ez + SOFT),
                              pull = mass[j] * over * over * over;
                        gx += pull * ex;
                        gy += pull * ey;
                        gz += pull * ez;
                        sum -= mass[j] * over;
                    }
                c = skip[c];
            } else
                c++;
        }
        ax[i] = gx;
        ay[i] = gy;
        az[i] = gz;
        potential[i] = sum;
    }
}
#else
struct pull { float x, y, z, potential; };

#pragma acc routine seq
static void attract(struct pull *p, const struct body *b, float x, float y, float z, float mass)
{
    float dx = x - b->x, dy = y - b->y, dz = z - b->z, r2 = dx * dx + dy * dy + dz * dz + SOFT, over = 1.0f / sqrtf(r2), strength = mass * over / r2;
    p->x += strength * dx;
    p->y += strength * dy;
    p->z += strength * dz;
    p->potential -= mass * over;
}

static void walk(size_t n, size_t cells, struct body *bodies, struct cell *tree, struct pull *pulls)
{
#pragma acc kernels present(bodies[0:n], tree[0:cells], pulls[0:n])
#pragma acc loop independent
#pragma omp parallel for schedule(dynamic, 256)
    for (size_t i = 0; i < n; ++i) {
        struct body me = bodies[i];
        struct pull sum = {0, 0, 0, 0};
        int stack[8 * LEVELS], top = 0;
        stack[top++] = 0;
        while (top > 0) {
            const struct cell *c = &tree[stack[--top]];
            float dx = c->x - me.x, dy = c->y - me.y, dz = c->z - me.z;
            if (dx * dx + dy * dy + dz * dz > c->size2)
                attract(&sum, &me, c->x, c->y, c->z, c->mass);
            else if (c->count == 0) {
                for (int k = 7; k >= 0; --k)
                    if (c->child[k] >= 0)
                        stack[top++] = c->child[k];
            } else
                for (size_t j = c->first; j < (size_t)c->first + c->count; ++j)
                    if (j != i)
                        attract(&sum, &me, bodies[j].x, bodies[j].y, bodies[j].z, bodies[j].mass);
        }
        pulls[i] = sum;
    }
}
#endif

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
#if SPELLING == 1
    float *x = NEW(float, n), *y = NEW(float, n), *z = NEW(float, n), *mass = NEW(float, n), *cx = NEW(float, cells), *cy = NEW(float, cells),
          *cz = NEW(float, cells), *cmass = NEW(float, cells), *size2 = NEW(float, cells), *ax = NEW(float, n), *ay = NEW(float, n), *az = NEW(float, n),
          *potential = NEW(float, n);
    int *first = NEW(int, cells), *count = NEW(int, cells), *skip = NEW(int, cells);
    for (int i = 0; i < n; i++) {
        x[i] = bodies[i].x;
        y[i] = bodies[i].y;
        z[i] = bodies[i].z;
        mass[i] = bodies[i].mass;
    }
    for (int c = 0; c < cells; c++) {
        cx[c] = tree[c].x;
        cy[c] = tree[c].y;
        cz[c] = tree[c].z;
        cmass[c] = tree[c].mass;
        size2[c] = tree[c].size2;
        first[c] = tree[c].first;
        count[c] = tree[c].count;
        skip[c] = tree[c].skip;
    }
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], mass[0:n], cx[0:cells], cy[0:cells], cz[0:cells], cmass[0:cells], size2[0:cells])
#pragma acc enter data copyin(first[0:cells], count[0:cells], skip[0:cells]) create(ax[0:n], ay[0:n], az[0:n], potential[0:n])
#else
    struct pull *pulls = NEW(struct pull, n);
#pragma acc enter data copyin(bodies[0:n], tree[0:cells]) create(pulls[0:n])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        walk(n, cells, x, y, z, mass, cx, cy, cz, cmass, size2, first, count, skip, ax, ay, az, potential);
#else
        walk(n, cells, bodies, tree, pulls);
#endif
    }
#if SPELLING == 1
#pragma acc update self(ax[0:n], ay[0:n], az[0:n], potential[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(ax[i]) + fabs(ay[i]) + fabs(az[i]) - potential[i];
#else
#pragma acc update self(pulls[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(pulls[i].x) + fabs(pulls[i].y) + fabs(pulls[i].z) - pulls[i].potential;
#endif
    report("barnes", t.best, sum);
    return 0;
}
