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
