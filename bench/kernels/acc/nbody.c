// Forces of all pairs of bodies, float, 16384 bodies.
#include "../kernels.h"

enum { N = 16384 };

typedef struct {
    float x, y, z, m;
} body;

#if SPELLING == 1
#pragma acc routine seq
static void force(const body *a, const body *b, float *fx, float *fy, float *fz)
{
    float dx = b->x - a->x, dy = b->y - a->y, dz = b->z - a->z;
    float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
    float f = b->m * inverse * inverse * inverse;
    *fx += f * dx;
    *fy += f * dy;
    *fz += f * dz;
}

static void forces(int n, const body *restrict p, float *restrict ax, float *restrict ay, float *restrict az)
{
#pragma acc parallel loop present(p[0:n], ax[0:n], ay[0:n], az[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float fx = 0, fy = 0, fz = 0;
        body me = p[i];
        for (int j = 0; j < n; j++) {
            body other = p[j];
            force(&me, &other, &fx, &fy, &fz);
        }
        ax[i] = fx;
        ay[i] = fy;
        az[i] = fz;
    }
}
#elif SPELLING == 3
static void forces(int n, body *p, float *ax, float *ay, float *az)
{
    int i, j;
#pragma acc kernels present(p[0:n], ax[0:n], ay[0:n], az[0:n])
    {
#pragma acc loop independent private(j)
        for (i = 0; i < n; i++) {
            ax[i] = 0.0f;
            ay[i] = 0.0f;
            az[i] = 0.0f;
#pragma acc loop seq
            for (j = 0; j < n; j++) {
                float dx = p[j].x - p[i].x;
                float dy = p[j].y - p[i].y;
                float dz = p[j].z - p[i].z;
                float dist = sqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
                float inv3 = 1.0f / (dist * dist * dist);
                ax[i] += p[j].m * dx * inv3;
                ay[i] += p[j].m * dy * inv3;
                az[i] += p[j].m * dz * inv3;
            }
        }
    }
}
#elif SPELLING == 4
typedef struct { float x, y, z; } vec3;
#pragma acc routine seq
static inline vec3 attraction(body me, body other)
{
    vec3 d = {other.x - me.x, other.y - me.y, other.z - me.z};
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 1e-4f;
    float w = other.m / (r2 * sqrtf(r2));
    d.x *= w, d.y *= w, d.z *= w;
    return d;
}
static void forces(size_t n, const body *restrict p, float *restrict ax, float *restrict ay, float *restrict az)
{
#pragma acc parallel loop gang vector_length(128) present(p[0:n], ax[0:n], ay[0:n], az[0:n])
    for (size_t i = 0; i < n; i++) {
        float sx = 0, sy = 0, sz = 0;
#pragma acc loop vector reduction(+ : sx, sy, sz)
        for (size_t j = 0; j < n; j++) {
            vec3 f = attraction(p[i], p[j]);
            sx += f.x;
            sy += f.y;
            sz += f.z;
        }
        ax[i] = sx;
        ay[i] = sy;
        az[i] = sz;
    }
}
#else
static void forces(unsigned n, body *p, float *ax, float *ay, float *az)
{
#pragma acc parallel loop gang vector present(p[0:n], ax[0:n], ay[0:n], az[0:n])
#pragma omp parallel for
    for (unsigned i = 0; i < n; i++) {
        float a[3] = {0, 0, 0};
        for (unsigned j = 0; j < n; j++) {
            float d[3] = {p[j].x - p[i].x, p[j].y - p[i].y, p[j].z - p[i].z}, r = 1e-4f;
            for (int k = 0; k < 3; k++)
                r += d[k] * d[k];
            r = 1.0f / sqrtf(r);
            for (int k = 0; k < 3; k++)
                a[k] += p[j].m * r * r * r * d[k];
        }
        ax[i] = a[0], ay[i] = a[1], az[i] = a[2];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift;
    body *p = NEW(body, n);
    float *ax = NEW(float, n), *ay = NEW(float, n), *az = NEW(float, n);
    double sum = 0;
    FILL((float *)p, 4 * n, 1);
#pragma acc enter data copyin(p[0:n]) create(ax[0:n], ay[0:n], az[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        forces(n, p, ax, ay, az);
#pragma acc update self(ax[0:n], ay[0:n], az[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(ax[i]) + fabs(ay[i]) + fabs(az[i]);
    report("nbody", t.best, sum);
    return 0;
}
