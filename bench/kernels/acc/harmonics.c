// A transform of spherical harmonics up to degree 1023, double: for each order m and each of 512 pairs of rings north and south of the equator
// the sum over the degrees of complex coefficients times Legendre functions, which a recursion of three terms gives.
#include "../kernels.h"

enum { ORDERS = 1024, PAIRS = 512 };

#if SPELLING == 1
// Degrees l = m .. orders - 1 of order m start at place m * (2 * orders - m + 1) / 2 of `up`, `down` and `coefficient`.
static void synthesis(int orders, int pairs, const double *restrict x, const double *restrict first, const double *restrict up,
                      const double *restrict down, const double *restrict coefficient, double *restrict phase)
{
    int all = orders * (orders + 1) / 2;
#pragma acc parallel loop collapse(2) present(x[0:pairs], first[0:orders], up[0:all], down[0:all], coefficient[0:2 * all])      \
    present(phase[0:4 * orders * pairs])
#pragma omp parallel for schedule(dynamic, 4)
    for (int m = 0; m < orders; m++)
        for (int j = 0; j < pairs; j++) {
            int start = m * (2 * orders - m + 1) / 2;
            double z = x[j], before = 0, here = first[m] * pow(sqrt(1 - z * z), m);
            double even_re = 0, even_im = 0, odd_re = 0, odd_im = 0;
            for (int k = start; k < start + orders - m; k++) {
                if ((k - start) % 2 == 0) {
                    even_re += here * coefficient[2 * k];
                    even_im += here * coefficient[2 * k + 1];
                } else {
                    odd_re += here * coefficient[2 * k];
                    odd_im += here * coefficient[2 * k + 1];
                }
                double next = up[k] * z * here - down[k] * before;
                before = here;
                here = next;
            }
            int north = 2 * (m * 2 * pairs + j), south = 2 * (m * 2 * pairs + 2 * pairs - 1 - j);
            phase[north] = even_re + odd_re;
            phase[north + 1] = even_im + odd_im;
            phase[south] = even_re - odd_re;
            phase[south + 1] = even_im - odd_im;
        }
}
#else
typedef struct { double re, im; } cplx;
typedef struct { double up, down; } recursion;

#define START(m) ((m) * (2 * orders - (m) + 1) / 2)

static inline void add(cplx *sum, double factor, const cplx *c)
{
    sum->re += factor * c->re;
    sum->im += factor * c->im;
}

static void synthesis(size_t orders, size_t pairs, const double *x, const double *first, const recursion *steps, const cplx *coefficient,
                      cplx *phase)
{
    size_t all = orders * (orders + 1) / 2;
#pragma acc kernels present(x[0:pairs], first[0:orders], steps[0:all], coefficient[0:all], phase[0:2 * orders * pairs])
    {
#pragma acc loop independent gang
#pragma omp parallel for schedule(dynamic, 4)
        for (size_t m = 0; m < orders; ++m) {
#pragma acc loop independent vector(128)
            for (size_t j = 0; j < pairs; ++j) {
                const recursion *s = steps + START(m);
                const cplx *c = coefficient + START(m);
                double p0 = 0.0, p1 = first[m] * pow(1.0 - x[j] * x[j], 0.5 * m);
                cplx parity[2] = {{0, 0}, {0, 0}};
                for (size_t l = m; l < orders; ++l, ++s, ++c) {
                    add(&parity[(l - m) & 1], p1, c);
                    double p2 = s->up * x[j] * p1 - s->down * p0;
                    p0 = p1;
                    p1 = p2;
                }
                cplx *ring = &phase[m * 2 * pairs];
                ring[j].re = parity[0].re + parity[1].re;
                ring[j].im = parity[0].im + parity[1].im;
                ring[2 * pairs - 1 - j].re = parity[0].re - parity[1].re;
                ring[2 * pairs - 1 - j].im = parity[0].im - parity[1].im;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int orders = ORDERS >> args.shift / 2, pairs = PAIRS >> (args.shift + 1) / 2, all = orders * (orders + 1) / 2, rings = 2 * orders * pairs;
    double *x = NEW(double, pairs), *first = NEW(double, orders), *up = NEW(double, all), *down = NEW(double, all);
    double *coefficient = NEW(double, 2 * all), *phase = NEW(double, 2 * rings), product = 1, sum = 0;
    for (int j = 0; j < pairs; j++)
        x[j] = cos(3.141592653589793 * (j + 0.5) / (2 * pairs));
    for (int m = 0, k = 0; m < orders; m++) {
        product *= m ? (2 * m + 1) / (2.0 * m) : 1;
        first[m] = (m % 2 ? -1 : 1) * sqrt(product / 12.566370614359172);
        for (double l = m; l < orders; l++, k++) {
            double next = (2 * l + 3) / ((l + 1) * (l + 1) - (double)m * m);
            up[k] = sqrt(next * (2 * l + 1));
            down[k] = l > m ? sqrt(next * (l * l - (double)m * m) / (2 * l - 1)) : 0;
            coefficient[2 * k] = (number(k) - 0.5) / (1 + l);
            coefficient[2 * k + 1] = m ? (number(k + all) - 0.5) / (1 + l) : 0;
        }
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(x[0:pairs], first[0:orders], up[0:all], down[0:all], coefficient[0:2 * all]) create(phase[0:2 * rings])
    while (lap(&t))
        synthesis(orders, pairs, x, first, up, down, coefficient, phase);
#pragma acc update self(phase[0:2 * rings])
#else
    recursion *steps = NEW(recursion, all);
    cplx *c = (cplx *)coefficient, *out = (cplx *)phase;
    for (int k = 0; k < all; k++)
        steps[k] = (recursion){up[k], down[k]};
#pragma acc enter data copyin(x[0:pairs], first[0:orders], steps[0:all], c[0:all]) create(out[0:rings])
    while (lap(&t))
        synthesis(orders, pairs, x, first, steps, c, out);
#pragma acc update self(out[0:rings])
#endif
    for (int k = 0; k < 2 * rings; k++)
        sum += fabs(phase[k]);
    report("harmonics", t.best, sum);
    return 0;
}
