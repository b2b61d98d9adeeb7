// Self-energies in the plasmon-pole approximation: sums over bands, vectors and vectors of complex terms with divisions and cut-offs, for
// three energies at once, double.
#include "../kernels.h"

enum { BANDS = 128, VECTORS = 256, ENERGIES = 3 };

#if SPELLING == 1
typedef struct { double re, im; } number_t;

static inline number_t product(number_t a, number_t b) { return (number_t){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static inline number_t quotient(number_t a, number_t b)
{
    double below = 1 / (b.re * b.re + b.im * b.im);
    return (number_t){(a.re * b.re + a.im * b.im) * below, (a.im * b.re - a.re * b.im) * below};
}

static void energies(int bands, int n, const number_t *restrict left, const number_t *restrict right,
                     const number_t *restrict wtilde, const number_t *restrict eps, const double *restrict wx, double out[6])
{
    double r0 = 0, r1 = 0, r2 = 0, i0 = 0, i1 = 0, i2 = 0;
#pragma acc parallel loop collapse(3) reduction(+ : r0, r1, r2, i0, i1, i2)                                       \
    present(left[0:bands * n], right[0:bands * n], wtilde[0:n * n], eps[0:n * n], wx[0:bands * ENERGIES])
#pragma omp parallel for collapse(2) reduction(+ : r0, r1, r2, i0, i1, i2)
    for (int band = 0; band < bands; band++)
        for (int g = 0; g < n; g++)
            for (int h = 0; h < n; h++) {
                number_t w = wtilde[g * n + h], w2 = product(w, w), term[ENERGIES];
                number_t mix = product(left[band * n + h], right[band * n + g]), weight = product(mix, eps[g * n + h]);
                for (int k = 0; k < ENERGIES; k++) {
                    number_t d = {wx[band * ENERGIES + k] - w.re, -w.im};
                    double size = d.re * d.re + d.im * d.im;
                    term[k] = (number_t){0, 0};
                    if (size > 1e-3) {
                        number_t delta = quotient(w, d);
                        if (delta.re * delta.re + delta.im * delta.im < 100)
                            term[k] = product(weight, delta);
                    } else
                        term[k] = quotient(weight, (number_t){w2.re + 4, w2.im});
                }
                r0 += term[0].re, i0 += term[0].im;
                r1 += term[1].re, i1 += term[1].im;
                r2 += term[2].re, i2 += term[2].im;
            }
    double all[6] = {r0, r1, r2, i0, i1, i2};
    for (int k = 0; k < 6; k++)
        out[k] = all[k];
}
#else
#include <complex.h>
typedef double complex number_t;

static void energies(size_t bands, size_t n, number_t *left, number_t *right, number_t *wtilde, number_t *eps, double *wx,
                     double out[6])
{
    double re[ENERGIES] = {0, 0, 0}, im[ENERGIES] = {0, 0, 0};
#pragma acc parallel loop gang collapse(2) reduction(+ : re, im)                                                  \
    present(left[0:bands * n], right[0:bands * n], wtilde[0:n * n], eps[0:n * n], wx[0:bands * ENERGIES])
#pragma omp parallel for reduction(+ : re, im)
    for (size_t g = 0; g < n; ++g)
        for (size_t band = 0; band < bands; ++band)
#pragma acc loop vector reduction(+ : re, im)
            for (size_t h = 0; h < n; ++h) {
                number_t w = wtilde[g * n + h], weight = left[band * n + h] * right[band * n + g] * eps[g * n + h];
                for (int k = 0; k < ENERGIES; ++k) {
                    number_t d = wx[band * ENERGIES + k] - w, term = 0;
                    if (creal(d) * creal(d) + cimag(d) * cimag(d) > 1e-3) {
                        number_t delta = w * conj(d) * (1 / (creal(d) * creal(d) + cimag(d) * cimag(d)));
                        if (creal(delta * conj(delta)) < 100)
                            term = weight * delta;
                    } else {
                        number_t below = w * w + 4;
                        term = weight * conj(below) * (1 / creal(below * conj(below)));
                    }
                    re[k] += creal(term);
                    im[k] += cimag(term);
                }
            }
    for (int k = 0; k < ENERGIES; ++k) {
        out[k] = re[k];
        out[k + ENERGIES] = im[k];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int bands = BANDS >> args.shift, n = VECTORS;
    number_t *left = NEW(number_t, bands *n), *right = NEW(number_t, bands *n), *wtilde = NEW(number_t, n *n), *eps = NEW(number_t, n *n);
    double *wx = NEW(double, bands *ENERGIES), out[6], sum = 0;
    double *parts[4] = {(double *)left, (double *)right, (double *)wtilde, (double *)eps};
    for (int a = 0; a < 4; a++)
        for (int k = 0; k < 2 * (a < 2 ? bands * n : n * n); k++)
            parts[a][k] = number(k * 7 + a) + (a == 2);
    FILL(wx, bands * ENERGIES, 4);
#pragma acc enter data copyin(left[0:bands * n], right[0:bands * n], wtilde[0:n * n], eps[0:n * n], wx[0:bands * ENERGIES])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        energies(bands, n, left, right, wtilde, eps, wx, out);
    for (int k = 0; k < 6; k++)
        sum += fabs(out[k]);
    report("gpp", t.best, sum);
    return 0;
}
