// Fluxes of a fluid over an unstructured mesh, float: 2^18 cells with four neighbours each and five variables.
#include "../kernels.h"

enum { CELLS = 1 << 18, SIDES = 4, VARIABLES = 5 };

#if SPELLING == 1
static void flux(int n, const int *restrict neighbour, const float *restrict normal, const float *restrict u,
                 float *restrict f)
{
#pragma acc parallel loop present(neighbour[0:SIDES * n], normal[0:3 * SIDES * n], u[0:VARIABLES * n]) \
    present(f[0:VARIABLES * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float density = u[i], energy = u[4 * n + i];
        float vx = u[n + i] / density, vy = u[2 * n + i] / density, vz = u[3 * n + i] / density;
        float pressure = 0.4f * (energy - 0.5f * density * (vx * vx + vy * vy + vz * vz));
        float sum[VARIABLES] = {0};
        for (int s = 0; s < SIDES; s++) {
            int o = neighbour[s * n + i];
            if (o < 0)
                continue;
            float nx = normal[(3 * s) * n + i], ny = normal[(3 * s + 1) * n + i], nz = normal[(3 * s + 2) * n + i];
            float d = u[o], ox = u[n + o] / d, oy = u[2 * n + o] / d, oz = u[3 * n + o] / d, e = u[4 * n + o];
            float p = 0.4f * (e - 0.5f * d * (ox * ox + oy * oy + oz * oz));
            float here = vx * nx + vy * ny + vz * nz, there = ox * nx + oy * ny + oz * nz;
            float both = 0.5f * (pressure + p);
            sum[0] += 0.5f * (density * here + d * there);
            sum[1] += 0.5f * (density * vx * here + d * ox * there) + both * nx;
            sum[2] += 0.5f * (density * vy * here + d * oy * there) + both * ny;
            sum[3] += 0.5f * (density * vz * here + d * oz * there) + both * nz;
            sum[4] += 0.5f * ((energy + pressure) * here + (e + p) * there);
        }
        for (int v = 0; v < VARIABLES; v++)
            f[v * n + i] = sum[v];
    }
}
#else
typedef struct {
    float x, y, z;
} vec;

typedef struct {
    float density, energy, pressure;
    vec velocity;
} cell;

#pragma acc routine seq
static float dot(const vec *a, const vec *b) { return a->x * b->x + a->y * b->y + a->z * b->z; }

#pragma acc routine seq
static void load(cell *c, size_t n, size_t i, const float *u)
{
    c->density = u[i];
    c->velocity.x = u[n + i] / c->density;
    c->velocity.y = u[2 * n + i] / c->density;
    c->velocity.z = u[3 * n + i] / c->density;
    c->energy = u[4 * n + i];
    c->pressure = 0.4f * (c->energy - 0.5f * c->density * dot(&c->velocity, &c->velocity));
}

static void flux(size_t n, int *neighbour, float *normal, float *u, float *f)
{
#pragma acc parallel loop gang vector present(neighbour[0:SIDES * n], normal[0:3 * SIDES * n], u[0:VARIABLES * n]) \
    present(f[0:VARIABLES * n])
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        cell me, other;
        float density = 0, energy = 0;
        vec momentum = {0, 0, 0};
        load(&me, n, i, u);
        for (size_t s = 0; s < SIDES; s++) {
            if (neighbour[s * n + i] == -1)
                continue;
            vec area = {normal[3 * s * n + i], normal[(3 * s + 1) * n + i], normal[(3 * s + 2) * n + i]};
            load(&other, n, neighbour[s * n + i], u);
            float here = dot(&me.velocity, &area), there = dot(&other.velocity, &area);
            float both = 0.5f * (me.pressure + other.pressure);
            float m = me.density * here, o = other.density * there;
            density += 0.5f * (m + o);
            momentum.x += 0.5f * (me.velocity.x * m + other.velocity.x * o) + both * area.x;
            momentum.y += 0.5f * (me.velocity.y * m + other.velocity.y * o) + both * area.y;
            momentum.z += 0.5f * (me.velocity.z * m + other.velocity.z * o) + both * area.z;
            energy += 0.5f * ((me.energy + me.pressure) * here + (other.energy + other.pressure) * there);
        }
        f[i] = density, f[n + i] = momentum.x, f[2 * n + i] = momentum.y, f[3 * n + i] = momentum.z;
        f[4 * n + i] = energy;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CELLS >> args.shift, *neighbour = NEW(int, SIDES *n);
    float *normal = NEW(float, 3 * SIDES * n), *u = NEW(float, VARIABLES *n), *f = NEW(float, VARIABLES *n);
    double sum = 0;
    for (int s = 0; s < SIDES; s++)
        for (int i = 0; i < n; i++)
            neighbour[s * n + i] = mix(s * n + i) % 64 ? (int)((i + n + (s - 2) * 16 + mix(i + s) % 32) % n) : -1;
    for (int k = 0; k < 3 * SIDES * n; k++)
        normal[k] = (float)number(k) - 0.5f;
    for (int k = 0; k < VARIABLES * n; k++)
        u[k] = k < n ? 1 + (float)number(k) : k < 4 * n ? (float)number(k) : 5;
#pragma acc enter data copyin(neighbour[0:SIDES * n], normal[0:3 * SIDES * n], u[0:VARIABLES * n]) \
    create(f[0:VARIABLES * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        flux(n, neighbour, normal, u, f);
#pragma acc update self(f[0:VARIABLES * n])
    for (int k = 0; k < VARIABLES * n; k++)
        sum += fabs(f[k]);
    report("flux", t.best, sum);
    return 0;
}
