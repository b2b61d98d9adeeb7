// A picture of 1024 x 1024 points: rays from an eye to the nearest of 64 spheres, with a shadow of a light and one reflection, float.
#include "../kernels.h"

enum { SIDE = 1024, BALLS = 64 };

typedef struct { float x, y, z; } vec;
typedef struct { vec at; float radius, grey; } ball;

#if SPELLING == 1
static inline float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec add(vec a, float s, vec b) { return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static inline vec unit(vec a)
{
    float s = 1 / sqrtf(dot(a, a));
    return (vec){a.x * s, a.y * s, a.z * s};
}

static int nearest(const ball *balls, vec from, vec to, float *distance)
{
    int hit = -1;
    for (int k = 0; k < BALLS; k++) {
        vec d = add(from, -1, balls[k].at);
        float b = dot(d, to), c = dot(d, d) - balls[k].radius * balls[k].radius, under = b * b - c;
        if (under > 0) {
            float t = -b - sqrtf(under);
            if (t > 1e-3f && t < *distance) {
                *distance = t;
                hit = k;
            }
        }
    }
    return hit;
}

static void picture(int n, const ball *restrict balls, float *restrict grey)
{
#pragma acc parallel loop collapse(2) present(balls[0:BALLS], grey[0:n * n])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            vec from = {0, 0, -4}, to = unit((vec){(j + 0.5f) / n - 0.5f, (i + 0.5f) / n - 0.5f, 1}), light = unit((vec){1, -1, -1});
            float sum = 0, weight = 1;
            for (int bounce = 0; bounce < 2; bounce++) {
                float distance = 1e30f;
                int hit = nearest(balls, from, to, &distance);
                if (hit < 0) {
                    sum += weight * 0.2f * (1 + to.y);
                    break;
                }
                vec at = add(from, distance, to), normal = unit(add(at, -1, balls[hit].at));
                float shade = dot(normal, light), far = 1e30f;
                if (shade > 0 && nearest(balls, at, light, &far) < 0)
                    sum += weight * shade * balls[hit].grey;
                weight *= 0.5f;
                from = at;
                to = add(to, -2 * dot(to, normal), normal);
            }
            grey[i * n + j] = sum;
        }
}
#else
struct ray { vec from, to; };
#define DOT(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z)

static void normalize(vec *v)
{
    float length = sqrtf(DOT(*v, *v));
    v->x /= length;
    v->y /= length;
    v->z /= length;
}

static float meets(const struct ray *r, const ball *b)
{
    vec d = {r->from.x - b->at.x, r->from.y - b->at.y, r->from.z - b->at.z};
    float half = DOT(d, r->to), c = DOT(d, d) - b->radius * b->radius;
    float under = half * half - c;
    if (under <= 0)
        return 1e30f;
    float t = -half - sqrtf(under);
    return t > 1e-3f ? t : 1e30f;
}

static float traced(struct ray r, const ball *balls, size_t count)
{
    vec light = {1, -1, -1};
    normalize(&light);
    float sum = 0, weight = 1;
    int left = 2;
    do {
        float best = 1e30f;
        const ball *hit = 0;
        for (size_t k = 0; k < count; ++k) {
            float t = meets(&r, &balls[k]);
            if (t < best) {
                best = t;
                hit = &balls[k];
            }
        }
        if (!hit)
            return sum + weight * 0.2f * (1 + r.to.y);
        struct ray next;
        next.from.x = r.from.x + best * r.to.x;
        next.from.y = r.from.y + best * r.to.y;
        next.from.z = r.from.z + best * r.to.z;
        vec normal = {next.from.x - hit->at.x, next.from.y - hit->at.y, next.from.z - hit->at.z};
        normalize(&normal);
        float shade = DOT(normal, light);
        if (shade > 0) {
            int dark = 0;
            next.to = light;
            for (size_t k = 0; k < count && !dark; ++k)
                dark = meets(&next, balls + k) < 1e30f;
            if (!dark)
                sum += weight * shade * hit->grey;
        }
        weight /= 2;
        float twice = 2 * DOT(r.to, normal);
        next.to.x = r.to.x - twice * normal.x;
        next.to.y = r.to.y - twice * normal.y;
        next.to.z = r.to.z - twice * normal.z;
        r = next;
    } while (--left);
    return sum;
}

static void picture(size_t n, ball *balls, float *grey)
{
#pragma acc parallel loop gang present(balls[0:BALLS], grey[0:n * n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
#pragma acc loop vector
        for (size_t j = 0; j < n; ++j) {
            struct ray r = {{0, 0, -4}, {(j + 0.5f) / n - 0.5f, (i + 0.5f) / n - 0.5f, 1}};
            normalize(&r.to);
            grey[i * n + j] = traced(r, balls, BALLS);
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    ball *balls = NEW(ball, BALLS);
    float *grey = NEW(float, n *n);
    double sum = 0;
    for (int k = 0; k < BALLS; k++)
        balls[k] = (ball){{4 * number(k) - 2, 4 * number(3 * k) - 2, 4 * number(7 * k)}, 0.2f + 0.3f * number(11 * k), number(13 * k)};
#pragma acc enter data copyin(balls[0:BALLS]) create(grey[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        picture(n, balls, grey);
#pragma acc update self(grey[0:n * n])
    SUM(sum, grey, n * n);
    // A ray that passes close to the edge of a ball may hit or miss it, by the last bit of a root.
    report("spheres", t.best, floor(sum / 1000));
    return 0;
}
