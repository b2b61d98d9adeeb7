// 2^20 charged particles, structs of six floats, pushed through a magnetic field by Boris' scheme for one step.
#include "../kernels.h"

enum { PARTICLES = 1 << 20 };

struct particle {
    float x, y, z, u, v, w;
};

#if SPELLING == 1
static void push(int n, struct particle *restrict p, float dt)
{
#pragma acc parallel loop present(p[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float ex = 0.1f * p[i].y, ey = -0.1f * p[i].x, ez = 0.05f, bz = 1 + 0.01f * p[i].z;
        float half = 0.5f * dt;
        float u = p[i].u + half * ex, v = p[i].v + half * ey, w = p[i].w + half * ez;
        float t = half * bz, s = 2 * t / (1 + t * t);
        float u1 = u + v * t, v1 = v - u * t;
        u += v1 * s;
        v -= u1 * s;
        p[i].u = u + half * ex;
        p[i].v = v + half * ey;
        p[i].w = w + half * ez;
        p[i].x += dt * p[i].u;
        p[i].y += dt * p[i].v;
        p[i].z += dt * p[i].w;
    }
}
#else
struct vector {
    float x, y, z;
};

static inline struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline void add(struct vector *to, struct vector what, float scale)
{
    to->x += scale * what.x, to->y += scale * what.y, to->z += scale * what.z;
}

static void push(size_t n, struct particle *all, float dt)
{
#pragma acc parallel loop gang vector present(all[0:n])
#pragma omp parallel for
    for (struct particle *p = all; p < all + n; p++) {
        struct vector e = {0.1f * p->y, -0.1f * p->x, 0.05f}, velocity = {p->u, p->v, p->w}, place = {p->x, p->y, p->z};
        struct vector t = {0, 0, 0.5f * dt * (1 + 0.01f * p->z)}, s = {0, 0, 2 * t.z / (1 + t.z * t.z)};
        add(&velocity, e, 0.5f * dt);
        struct vector turned = velocity;
        add(&turned, cross(velocity, t), 1);
        add(&velocity, cross(turned, s), 1);
        add(&velocity, e, 0.5f * dt);
        add(&place, velocity, dt);
        *p = (struct particle){place.x, place.y, place.z, velocity.x, velocity.y, velocity.z};
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PARTICLES >> args.shift;
    struct particle *p = NEW(struct particle, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = (struct particle){number(6 * i), number(6 * i + 1), number(6 * i + 2), number(6 * i + 3), number(6 * i + 4),
                                 number(6 * i + 5)};
#pragma acc enter data copyin(p[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        push(n, p, 0.001f);
#pragma acc update self(p[0:n])
    for (int i = 0; i < n; i++)
        sum += p[i].x + 2 * p[i].y + 3 * p[i].z + p[i].u + 2 * p[i].v + 3 * p[i].w;
    report("push", t.best, sum);
    return 0;
}
