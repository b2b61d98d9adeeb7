// Densities and pressures of 32768 particles of a fluid from neighbours in 27 cells, whose particles are chained.
#include "../kernels.h"

enum { PARTICLES = 32768, CELLS = 20 };

#if SPELLING == 1
static void density(int n, const float *restrict x, const float *restrict y, const float *restrict z, const int *restrict head,
                    const int *restrict next, float *restrict rho, float *restrict p)
{
#pragma acc parallel loop present(x[0:n], y[0:n], z[0:n], head[0:CELLS * CELLS * CELLS], next[0:n], rho[0:n], p[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int cx = (int)x[i], cy = (int)y[i], cz = (int)z[i];
        float sum = 0;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int u = cx + dx, v = cy + dy, w = cz + dz;
                    if (u < 0 || v < 0 || w < 0 || u >= CELLS || v >= CELLS || w >= CELLS)
                        continue;
                    for (int j = head[(w * CELLS + v) * CELLS + u]; j >= 0; j = next[j]) {
                        float a = x[i] - x[j], b = y[i] - y[j], c = z[i] - z[j], r2 = a * a + b * b + c * c;
                        if (r2 < 1.0f)
                            sum += powf(1.0f - r2, 3);
                    }
                }
        rho[i] = 1.566f * sum;
        p[i] = 1000.0f * (powf(rho[i] / 4.0f, 7) - 1);
    }
}
#else
typedef struct { float x, y, z; } place;

static float distance2(place a, place b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z); }
static float kernel(float r2)
{
    float q = 1 - r2;
    return q > 0 ? q * q * q : 0;
}
static int inside(int k) { return k >= 0 && k < CELLS; }

static float in_cell(const float *x, const float *y, const float *z, place here, int j, const int *next)
{
    float sum = 0;
    while (j != -1) {
        place other = {x[j], y[j], z[j]};
        sum += kernel(distance2(here, other));
        j = next[j];
    }
    return sum;
}

static void density(size_t n, float *x, float *y, float *z, int *head, int *next, float *rho, float *p)
{
#pragma acc parallel loop gang vector present(x[0:n], y[0:n], z[0:n], head[0:CELLS * CELLS * CELLS], next[0:n], rho[0:n], p[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        place here = {x[i], y[i], z[i]};
        rho[i] = 0;
        for (int w = (int)here.z - 1; w <= (int)here.z + 1; ++w)
            for (int v = (int)here.y - 1; v <= (int)here.y + 1; ++v)
                for (int u = (int)here.x - 1; u <= (int)here.x + 1; ++u)
                    if (inside(u) && inside(v) && inside(w))
                        rho[i] += in_cell(x, y, z, here, head[(w * CELLS + v) * CELLS + u], next);
        rho[i] *= 1.566f;
        float ratio = rho[i] / 4, cube = ratio * ratio * ratio;
        p[i] = 1000 * (cube * cube * ratio - 1);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PARTICLES >> args.shift, cells = CELLS * CELLS * CELLS;
    float *x = NEW(float, n), *y = NEW(float, n), *z = NEW(float, n), *rho = NEW(float, n), *p = NEW(float, n);
    int *head = NEW(int, cells), *next = NEW(int, n);
    double sum = 0;
    for (int c = 0; c < cells; c++)
        head[c] = -1;
    // Particles are numbered by cells, as a program that sorts them now and then has it.
    for (int k = 0; k < n; k++) {
        int c = (long)k * cells / n;
        x[k] = c % CELLS + number(3 * k);
        y[k] = c / CELLS % CELLS + number(3 * k + 1);
        z[k] = c / CELLS / CELLS + number(3 * k + 2);
        next[k] = head[c];
        head[c] = k;
    }
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], head[0:cells], next[0:n]) create(rho[0:n], p[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        density(n, x, y, z, head, next, rho, p);
#pragma acc update self(rho[0:n], p[0:n])
    SUM(sum, rho, n);
    SUM(sum, p, n);
    report("sph", t.best, sum);
    return 0;
}
