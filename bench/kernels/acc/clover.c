// The field strength of a lattice of 16 x 16 x 16 x 32 sites as the clover term needs it, double complex: for each site and pair of directions four
// closed paths of four matrices, their part that is antihermitian without a trace; then energy and topological charge.
#include "../kernels.h"
#include <complex.h>

enum { SIDE = 16, LENGTH = 32, PLANES = 6 };

#if SPELLING == 1
// m = m u or m u+, where entry e of a matrix is at u[e * sites + s].
#pragma acc routine seq
static void times(double complex *restrict m, const double complex *restrict u, int sites, int s, int dagger)
{
    for (int r = 0; r < 3; r++) {
        double complex a = m[3 * r], b = m[3 * r + 1], c = m[3 * r + 2];
        for (int k = 0; k < 3; k++)
            if (dagger)
                m[3 * r + k] = a * conj(u[3 * k * sites + s]) + b * conj(u[(3 * k + 1) * sites + s]) + c * conj(u[(3 * k + 2) * sites + s]);
            else
                m[3 * r + k] = a * u[k * sites + s] + b * u[(3 + k) * sites + s] + c * u[(6 + k) * sites + s];
    }
}

static double strength(int sites, const int *restrict up, const int *restrict down, const double complex *restrict links, double complex *restrict field)
{
    double energy = 0, charge = 0;
#pragma acc data present(up[0:4 * sites], down[0:4 * sites], links[0:36 * sites], field[0:9 * PLANES * sites])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for collapse(2)
        for (int plane = 0; plane < PLANES; plane++)
            for (int s = 0; s < sites; s++) {
                int mu = plane < 3 ? 0 : plane < 5 ? 1 : 2, nu = plane < 3 ? plane + 1 : plane < 5 ? plane - 1 : 3;
                const double complex *u = links + mu * 9 * sites, *v = links + nu * 9 * sites;
                int back = down[mu * sites + s], under = down[nu * sites + s], corner = down[nu * sites + back];
                double complex sum[9], m[9];
                for (int leaf = 0; leaf < 4; leaf++) {
                    for (int e = 0; e < 9; e++)
                        m[e] = e % 4 == 0;
                    if (leaf == 0) {
                        times(m, u, sites, s, 0);
                        times(m, v, sites, up[mu * sites + s], 0);
                        times(m, u, sites, up[nu * sites + s], 1);
                        times(m, v, sites, s, 1);
                    } else if (leaf == 1) {
                        times(m, v, sites, s, 0);
                        times(m, u, sites, up[nu * sites + back], 1);
                        times(m, v, sites, back, 1);
                        times(m, u, sites, back, 0);
                    } else if (leaf == 2) {
                        times(m, u, sites, back, 1);
                        times(m, v, sites, corner, 1);
                        times(m, u, sites, corner, 0);
                        times(m, v, sites, under, 0);
                    } else {
                        times(m, v, sites, under, 1);
                        times(m, u, sites, under, 0);
                        times(m, v, sites, up[mu * sites + under], 0);
                        times(m, u, sites, s, 1);
                    }
                    for (int e = 0; e < 9; e++)
                        sum[e] = leaf == 0 ? m[e] : sum[e] + m[e];
                }
                double trace = 0.25 / 3 * (cimag(sum[0]) + cimag(sum[4]) + cimag(sum[8]));
                for (int r = 0; r < 3; r++)
                    for (int k = 0; k < 3; k++)
                        field[(plane * 9 + 3 * r + k) * sites + s] = 0.125 * (sum[3 * r + k] - conj(sum[3 * k + r])) - (r == k ? trace * I : 0);
            }
#pragma acc parallel loop reduction(+ : energy, charge)
#pragma omp parallel for reduction(+ : energy, charge)
        for (int s = 0; s < sites; s++) {
            for (int e = 0; e < 9 * PLANES; e++) {
                double complex f = field[e * sites + s];
                energy += creal(f) * creal(f) + cimag(f) * cimag(f);
            }
            for (int r = 0; r < 3; r++)
                for (int k = 0; k < 3; k++) {
                    int a = 3 * r + k, b = 3 * k + r;
                    charge += creal(field[a * sites + s] * field[(45 + b) * sites + s] - field[(9 + a) * sites + s] * field[(36 + b) * sites + s] +
                                    field[(18 + a) * sites + s] * field[(27 + b) * sites + s]);
                }
        }
    }
    return energy + charge;
}
#else
struct complex_number { double re, im; };
struct matrix { struct complex_number e[3][3]; };
#define REST (SIDE - 1)

static struct matrix product(const struct matrix *a, const struct matrix *b)
{
    struct matrix c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            c.e[i][j].re = c.e[i][j].im = 0;
            for (int k = 0; k < 3; ++k) {
                c.e[i][j].re += a->e[i][k].re * b->e[k][j].re - a->e[i][k].im * b->e[k][j].im;
                c.e[i][j].im += a->e[i][k].re * b->e[k][j].im + a->e[i][k].im * b->e[k][j].re;
            }
        }
    return c;
}

static struct matrix adjoint(const struct matrix *a)
{
    struct matrix c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            c.e[i][j].re = a->e[j][i].re;
            c.e[i][j].im = -a->e[j][i].im;
        }
    return c;
}

static void add(struct matrix *sum, const struct matrix *a)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            sum->e[i][j].re += a->e[i][j].re;
            sum->e[i][j].im += a->e[i][j].im;
        }
}

// The path a b c+ d+.
static void add_path(struct matrix *sum, const struct matrix *a, const struct matrix *b, const struct matrix *c, const struct matrix *d)
{
    struct matrix ab = product(a, b), abcd, last = product(d, c), back = adjoint(&last);
    abcd = product(&ab, &back);
    add(sum, &abcd);
}

// The path a+ b+ c d.
static void add_path_back(struct matrix *sum, const struct matrix *a, const struct matrix *b, const struct matrix *c, const struct matrix *d)
{
    struct matrix ba = product(b, a), front = adjoint(&ba), cd = product(c, d), all = product(&front, &cd);
    add(sum, &all);
}

// The path a+ b c d+ (first) or a b+ c+ d.
static void add_mixed(struct matrix *sum, const struct matrix *a, const struct matrix *b, const struct matrix *c, const struct matrix *d, int first)
{
    struct matrix left, right, all;
    if (first) {
        left = adjoint(a);
        left = product(&left, b);
        right = adjoint(d);
        right = product(c, &right);
    } else {
        left = adjoint(b);
        left = product(a, &left);
        right = adjoint(c);
        right = product(&right, d);
    }
    all = product(&left, &right);
    add(sum, &all);
}

static size_t site(unsigned x, unsigned y, unsigned z, unsigned t, unsigned length, int mu, int far, int nu, int wide)
{
    unsigned at[4] = {x, y, z, t};
    at[mu] += far;
    at[nu] += wide;
    return (((size_t)((at[3] + length) % length) * SIDE + (at[2] & REST)) * SIDE + (at[1] & REST)) * SIDE + (at[0] & REST);
}

static double strength(unsigned length, struct matrix (*links)[4], struct matrix (*field)[PLANES])
{
    double energy = 0, charge = 0;
    size_t sites = (size_t)SIDE * SIDE * SIDE * length;
#pragma acc parallel loop collapse(4) present(links[0:sites], field[0:sites])
#pragma omp parallel for collapse(3)
    for (unsigned t = 0; t < length; ++t)
        for (unsigned z = 0; z < SIDE; ++z)
            for (unsigned y = 0; y < SIDE; ++y)
                for (unsigned x = 0; x < SIDE; ++x) {
                    size_t s = site(x, y, z, t, length, 0, 0, 1, 0);
                    int plane = 0;
                    for (int mu = 0; mu < 3; ++mu)
                        for (int nu = mu + 1; nu < 4; ++nu) {
#define AT(direction, far, wide) &links[site(x, y, z, t, length, mu, far, nu, wide)][direction]
                            struct matrix q = {{{{0}}}}, *f = &field[s][plane++];
                            add_path(&q, AT(mu, 0, 0), AT(nu, 1, 0), AT(mu, 0, 1), AT(nu, 0, 0));
                            add_mixed(&q, AT(nu, 0, 0), AT(mu, -1, 1), AT(nu, -1, 0), AT(mu, -1, 0), 0);
                            add_path_back(&q, AT(mu, -1, 0), AT(nu, -1, -1), AT(mu, -1, -1), AT(nu, 0, -1));
                            add_mixed(&q, AT(nu, 0, -1), AT(mu, 0, -1), AT(nu, 1, -1), AT(mu, 0, 0), 1);
                            double trace = (q.e[0][0].im + q.e[1][1].im + q.e[2][2].im) / 3;
                            for (int i = 0; i < 3; ++i)
                                for (int j = 0; j < 3; ++j) {
                                    f->e[i][j].re = (q.e[i][j].re - q.e[j][i].re) / 8;
                                    f->e[i][j].im = (q.e[i][j].im + q.e[j][i].im) / 8 - (i == j) * trace / 4;
                                }
                        }
                }
#pragma acc kernels loop independent reduction(+ : energy, charge) present(field[0:sites])
#pragma omp parallel for reduction(+ : energy, charge)
    for (size_t s = 0; s < sites; ++s)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                for (int p = 0; p < PLANES; ++p) {
                    struct complex_number f = field[s][p].e[i][j];
                    energy += f.re * f.re + f.im * f.im;
                }
                for (int p = 0; p < PLANES / 2; ++p) {
                    struct complex_number f = field[s][p].e[i][j], g = field[s][PLANES - 1 - p].e[j][i];
                    charge += (p == 1 ? -1 : 1) * (f.re * g.re - f.im * g.im);
                }
            }
    return energy + charge;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int length = LENGTH >> args.shift, sites = SIDE * SIDE * SIDE * length;
    double result = 0, sum = 0;
#if SPELLING == 1
    int *up = NEW(int, 4 * sites), *down = NEW(int, 4 * sites);
    double complex *links = NEW(double complex, 36 * sites), *field = NEW(double complex, 9 * PLANES *sites);
    for (int mu = 0, stride = 1; mu < 4; mu++, stride *= SIDE)
        for (int s = 0; s < sites; s++) {
            int size = mu == 3 ? length : SIDE, at = s / stride % size;
            up[mu * sites + s] = s + (at == size - 1 ? 1 - size : 1) * stride;
            down[mu * sites + s] = s + (at == 0 ? size - 1 : -1) * stride;
        }
    for (int s = 0; s < sites; s++)
        for (int k = 0; k < 36; k++)
            links[k * sites + s] = (k % 9 % 4 == 0) + 0.5 * (number(72 * s + 2 * k) - 0.5) + 0.5 * (number(72 * s + 2 * k + 1) - 0.5) * I;
#pragma acc enter data copyin(up[0:4 * sites], down[0:4 * sites], links[0:36 * sites]) create(field[0:9 * PLANES * sites])
#else
    struct matrix(*links)[4] = malloc(sites * sizeof *links), (*field)[PLANES] = malloc(sites * sizeof *field);
    for (int s = 0; s < sites; s++)
        for (int k = 0; k < 36; k++) {
            struct complex_number *e = &links[s][k / 9].e[k % 9 / 3][k % 3];
            e->re = (k % 9 % 4 == 0) + 0.5 * (number(72 * s + 2 * k) - 0.5);
            e->im = 0.5 * (number(72 * s + 2 * k + 1) - 0.5);
        }
#pragma acc enter data copyin(links[0:sites]) create(field[0:sites])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        result = strength(sites, up, down, links, field);
#else
        result = strength(length, links, field);
#endif
    }
#if SPELLING == 1
#pragma acc update self(field[0:9 * PLANES * sites])
    for (int k = 0; k < 9 * PLANES * sites; k++)
        sum += fabs(cimag(field[k]));
#else
#pragma acc update self(field[0:sites])
    for (int k = 0; k < 9 * PLANES * sites; k++)
        sum += fabs(field[k / 9 / PLANES][k / 9 % PLANES].e[k % 9 / 3][k % 3].im);
#endif
    report("clover", t.best, sum + result);
    return 0;
}
