// Histories of 2^18 neutrons in 32^3 cells of two materials, double: from each collision or border of a cell to the next until one is absorbed
// or gone, path lengths added to the flux of the cells, random numbers by Philox' method from particle and step.
#include "../kernels.h"
#include <stdint.h>

enum { PARTICLES = 1 << 18, SIDE = 32, CELLS = SIDE * SIDE * SIDE, LONGEST = 2000 };
#define PI 3.14159265358979323846

typedef struct { long absorbed, gone, segments; } ends;

#if SPELLING == 1
// Two numbers of 32 bits from a counter of 64 bits and a key, ten rounds.
static void philox(unsigned low, unsigned high, unsigned key, double *u, double *v)
{
    for (int round = 0; round < 10; round++) {
        unsigned long long product = 0xD256D193ull * low;
        low = (unsigned)(product >> 32) ^ key ^ high;
        high = (unsigned)product;
        key += 0x9E3779B9u;
    }
    *u = (low + 0.5) / 4294967296.0;
    *v = (high + 0.5) / 4294967296.0;
}

static ends transport(int particles, const unsigned char *restrict material, const double *restrict total, const double *restrict scatter,
                      double *restrict flux)
{
    long absorbed = 0, gone = 0, segments = 0;
#pragma acc parallel loop reduction(+ : absorbed, gone, segments) present(material[0:CELLS], total[0:2], scatter[0:2], flux[0:CELLS])
#pragma omp parallel for reduction(+ : absorbed, gone, segments)
    for (int p = 0; p < particles; p++) {
        double u, v;
        philox(p, 0, 1, &u, &v);
        double x = SIDE / 2 + u - 0.5, y = SIDE / 2 + v - 0.5, z = SIDE / 2;
        philox(p, 1, 1, &u, &v);
        double cosine = 2 * u - 1, sine = sqrt(1 - cosine * cosine);
        double dx = sine * cos(2 * PI * v), dy = sine * sin(2 * PI * v), dz = cosine;
        int i = (int)x, j = (int)y, k = (int)z;
        for (int step = 0; step < LONGEST; step++) {
            int cell = (i * SIDE + j) * SIDE + k, what = material[cell];
            philox(p, 2 * step + 2, 1, &u, &v);
            double collision = -log(u) / total[what];
            double tx = dx > 0 ? (i + 1 - x) / dx : dx < 0 ? (i - x) / dx : 1e30;
            double ty = dy > 0 ? (j + 1 - y) / dy : dy < 0 ? (j - y) / dy : 1e30;
            double tz = dz > 0 ? (k + 1 - z) / dz : dz < 0 ? (k - z) / dz : 1e30;
            double border = fmin(tx, fmin(ty, tz)), way = fmin(collision, border);
            segments++;
#pragma acc atomic update
#pragma omp atomic update
            flux[cell] += way;
            x += way * dx;
            y += way * dy;
            z += way * dz;
            if (collision < border) {
                if (v >= scatter[what]) {
                    absorbed++;
                    break;
                }
                philox(p, 2 * step + 3, 1, &u, &v);
                cosine = 2 * u - 1;
                sine = sqrt(1 - cosine * cosine);
                dx = sine * cos(2 * PI * v);
                dy = sine * sin(2 * PI * v);
                dz = cosine;
            } else {
                if (border == tx)
                    i += dx > 0 ? 1 : -1;
                else if (border == ty)
                    j += dy > 0 ? 1 : -1;
                else
                    k += dz > 0 ? 1 : -1;
                if (i < 0 || i >= SIDE || j < 0 || j >= SIDE || k < 0 || k >= SIDE) {
                    gone++;
                    break;
                }
            }
        }
    }
    return (ends){absorbed, gone, segments};
}
#else
struct random { uint64_t counter; uint32_t key; };
struct particle { double at[3], way[3]; int cell[3]; };
struct pair { double first, second; };

static struct pair draw(struct random *r)
{
    uint32_t word[2] = {(uint32_t)r->counter, (uint32_t)(r->counter >> 32)}, key = r->key;
    for (int k = 0; k < 10; ++k, key += UINT32_C(0x9E3779B9)) {
        uint64_t product = (uint64_t)UINT32_C(0xD256D193) * word[0];
        word[0] = (uint32_t)(product >> 32) ^ key ^ word[1];
        word[1] = (uint32_t)product;
    }
    return (struct pair){(word[0] + 0.5) * 0x1p-32, (word[1] + 0.5) * 0x1p-32};
}

static void turn(struct particle *p, struct pair u)
{
    double cosine = 2 * u.first - 1, sine = sqrt(1 - cosine * cosine), angle = 2 * PI * u.second;
    p->way[0] = sine * cos(angle);
    p->way[1] = sine * sin(angle);
    p->way[2] = cosine;
}

static inline int inside(const int *cell)
{
    for (int d = 0; d < 3; ++d)
        if ((unsigned)cell[d] >= SIDE)
            return 0;
    return 1;
}

#define FROM(step) ((struct random){(uint64_t)(step) << 32 | n, 1})

static ends transport(unsigned particles, unsigned char *material, double *total, double *scatter, double *flux)
{
    ends result = {0, 0, 0};
    long absorbed = 0, gone = 0, segments = 0;
#pragma acc parallel loop gang vector vector_length(64) reduction(+ : absorbed) reduction(+ : gone) reduction(+ : segments) \
    present(material[0:CELLS], total[0:2], scatter[0:2], flux[0:CELLS])
#pragma omp parallel for reduction(+ : absorbed, gone, segments)
    for (unsigned n = 0; n < particles; ++n) {
        struct particle p;
        struct random r = FROM(0);
        struct pair u = draw(&r);
        p.at[0] = SIDE / 2 + u.first - 0.5, p.at[1] = SIDE / 2 + u.second - 0.5, p.at[2] = SIDE / 2;
        r = FROM(1);
        turn(&p, draw(&r));
        for (int d = 0; d < 3; ++d)
            p.cell[d] = (int)p.at[d];
        unsigned step = 0;
        while (step < LONGEST && inside(p.cell)) {
            int cell = p.cell[2] + SIDE * (p.cell[1] + SIDE * p.cell[0]), axis = 0;
            r = FROM(2 * step + 2);
            u = draw(&r);
            double collision = -log(u.first) / total[material[cell]], border = 1e30;
            for (int d = 0; d < 3; ++d) {
                double way = p.way[d] == 0 ? 1e30 : (p.cell[d] + (p.way[d] > 0) - p.at[d]) / p.way[d];
                if (way < border) {
                    border = way;
                    axis = d;
                }
            }
            int collides = collision < border;
            double way = collides ? collision : border;
            for (int d = 0; d < 3; ++d)
                p.at[d] += way * p.way[d];
#pragma acc atomic
#pragma omp atomic
            flux[cell] += way;
            ++segments;
            if (collides) {
                if (u.second >= scatter[material[cell]]) {
                    ++absorbed;
                    break;
                }
                r = FROM(2 * step + 3);
                turn(&p, draw(&r));
            } else
                p.cell[axis] += p.way[axis] > 0 ? 1 : -1;
            ++step;
        }
        gone += !inside(p.cell);
    }
    result.absorbed = absorbed;
    result.gone = gone;
    result.segments = segments;
    return result;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int particles = PARTICLES >> args.shift;
    unsigned char *material = NEW(unsigned char, CELLS);
    double *flux = NEW(double, CELLS), total[2] = {0.25, 0.75}, scatter[2] = {0.9, 0.7}, sum = 0;
    ends e = {0, 0, 0};
    for (int k = 0; k < CELLS; k++) {
        material[k] = (k / 4 + k / SIDE / 4 + k / SIDE / SIDE / 4) % 2;
        flux[k] = 0;
    }
#pragma acc enter data copyin(material[0:CELLS], total[0:2], scatter[0:2], flux[0:CELLS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        e = transport(particles, material, total, scatter, flux);
#pragma acc update self(flux[0:CELLS])
    SUM(sum, flux, CELLS);
    report("histories", t.best, sum + e.absorbed + 2.0 * e.gone + 1e-3 * e.segments);
    return 0;
}
