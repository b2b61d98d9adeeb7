// The hopping term of staggered quarks on a lattice of 16 x 16 x 16 x 32 sites, double complex: to each site from its eight neighbours a vector
// of three, turned by the 3 x 3 matrix of the link between them or by its adjoint.
#include "../kernels.h"
#include <complex.h>

enum { SIDE = 16, LONG = 32 };

#if SPELLING == 1
static void hop(int t_side, const double complex *restrict link, const double complex *restrict v, double complex *restrict out)
{
    int sites = SIDE * SIDE * SIDE * t_side;
#pragma acc parallel loop collapse(4) present(link[0:36 * sites], v[0:3 * sites], out[0:3 * sites])
#pragma omp parallel for collapse(2)
    for (int t = 0; t < t_side; t++)
        for (int z = 0; z < SIDE; z++)
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) {
                    int here = ((t * SIDE + z) * SIDE + y) * SIDE + x;
                    int up[4] = {here - x + (x + 1) % SIDE, here + ((y + 1) % SIDE - y) * SIDE, here + ((z + 1) % SIDE - z) * SIDE * SIDE,
                                 here + ((t + 1) % t_side - t) * SIDE * SIDE * SIDE};
                    int down[4] = {here - x + (x + SIDE - 1) % SIDE, here + ((y + SIDE - 1) % SIDE - y) * SIDE,
                                   here + ((z + SIDE - 1) % SIDE - z) * SIDE * SIDE, here + ((t + t_side - 1) % t_side - t) * SIDE * SIDE * SIDE};
                    double sign[4] = {0.5, x % 2 ? -0.5 : 0.5, (x + y) % 2 ? -0.5 : 0.5, (x + y + z) % 2 ? -0.5 : 0.5};
                    double complex sum[3] = {0, 0, 0};
                    for (int mu = 0; mu < 4; mu++)
                        for (int r = 0; r < 3; r++)
                            for (int c = 0; c < 3; c++) {
                                double complex forth = link[(9 * mu + 3 * r + c) * sites + here];
                                double complex back = conj(link[(9 * mu + 3 * c + r) * sites + down[mu]]);
                                sum[r] += sign[mu] * (forth * v[c * sites + up[mu]] - back * v[c * sites + down[mu]]);
                            }
                    for (int r = 0; r < 3; r++)
                        out[r * sites + here] = sum[r];
                }
}
#else
typedef struct { double re, im; } number_t;
typedef struct { number_t c[3]; } colour;

#define PLUS_TIMES(s, a, b) ((s).re += (a).re * (b).re - (a).im * (b).im, (s).im += (a).re * (b).im + (a).im * (b).re)
#define PLUS_CONJ_TIMES(s, a, b) ((s).re += (a).re * (b).re + (a).im * (b).im, (s).im += (a).re * (b).im - (a).im * (b).re)

static colour load(size_t sites, number_t (*v)[sites], size_t at)
{
    colour x = {{v[0][at], v[1][at], v[2][at]}};
    return x;
}

// With tables of the neighbours.
static void hop(size_t sites, const unsigned char *parity, int *table, number_t *links, number_t *from, number_t *to)
{
    int(*near)[sites] = (int(*)[sites])table;
    number_t(*link)[3][3][sites] = (number_t(*)[3][3][sites])links;
    number_t(*v)[sites] = (number_t(*)[sites])from, (*out)[sites] = (number_t(*)[sites])to;
#pragma acc kernels present(near[0:8], parity[0:sites], link[0:4], v[0:3], out[0:3])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t s = 0; s < sites; ++s) {
        colour sum = {{{0, 0}, {0, 0}, {0, 0}}};
        for (unsigned mu = 0; mu < 4; ++mu) {
            size_t up = near[mu][s], down = near[mu + 4][s];
            colour ahead = load(sites, v, up), behind = load(sites, v, down), plus = {{{0, 0}}}, minus = {{{0, 0}}};
            for (unsigned r = 0; r < 3; ++r)
                for (unsigned c = 0; c < 3; ++c)
                    PLUS_TIMES(plus.c[r], link[mu][r][c][s], ahead.c[c]);
            for (unsigned r = 0; r < 3; ++r)
                for (unsigned c = 0; c < 3; ++c)
                    PLUS_CONJ_TIMES(minus.c[c], link[mu][r][c][down], behind.c[r]);
            const double sign = parity[s] >> mu & 1 ? -0.5 : 0.5;
            for (unsigned r = 0; r < 3; ++r) {
                sum.c[r].re += sign * (plus.c[r].re - minus.c[r].re);
                sum.c[r].im += sign * (plus.c[r].im - minus.c[r].im);
            }
        }
        for (unsigned r = 0; r < 3; ++r)
            out[r][s] = sum.c[r];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int t_side = LONG >> args.shift > 1 ? LONG >> args.shift : 2, sites = SIDE * SIDE * SIDE * t_side, links = 36 * sites, all = 3 * sites;
    double complex *link = NEW(double complex, links), *v = NEW(double complex, all), *out = NEW(double complex, all);
    double *parts = (double *)out, sum = 0;
    for (int k = 0; k < links; k++)
        link[k] = number(2 * k) - 0.5 + (number(2 * k + 1) - 0.5) * I;
    for (int k = 0; k < all; k++)
        v[k] = number(5 * k) + number(5 * k + 1) * I;
#pragma acc enter data copyin(link[0:links], v[0:all]) create(out[0:all])
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    while (lap(&t))
        hop(t_side, link, v, out);
#else
    int *table = NEW(int, 8 * sites);
    unsigned char *parity = NEW(unsigned char, sites);
    for (int s = 0; s < sites; s++) {
        int side[4] = {SIDE, SIDE, SIDE, t_side};
        parity[s] = 0;
        for (int mu = 0, step = 1, before = 0; mu < 4; step *= side[mu++]) {
            int at = s / step % side[mu];
            table[mu * sites + s] = s + ((at + 1) % side[mu] - at) * step;
            table[(mu + 4) * sites + s] = s + ((at + side[mu] - 1) % side[mu] - at) * step;
            parity[s] |= before % 2 << mu;
            before += at;
        }
    }
#pragma acc enter data copyin(table[0:8 * sites], parity[0:sites])
    while (lap(&t))
        hop(sites, parity, table, (number_t *)link, (number_t *)v, (number_t *)out);
#endif
#pragma acc update self(out[0:all])
    for (int k = 0; k < 2 * all; k++)
        sum += fabs(parts[k]) * (1 + k % 3);
    report("hopping", t.best, sum);
    return 0;
}
