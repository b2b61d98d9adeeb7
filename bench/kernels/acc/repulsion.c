// The Coulomb matrix of 40 contracted s functions of a molecule, double: for each pair of functions the sum over all pairs of integrals of
// electron repulsion times the density, nine by nine products of Gaussians each; pairs are skipped by Schwarz's bound.
#include "../kernels.h"

enum { FUNCTIONS = 40, PRIMITIVES = 3, PRODUCTS = PRIMITIVES * PRIMITIVES };

#define PI 3.14159265358979323846
#define SMALL 1e-6

static double boys(double t) { return t < 1e-7 ? 1 - t / 3 : 0.5 * sqrt(PI / t) * erf(sqrt(t)); }

#if SPELLING == 1
// Products a of pair ij at [a * pairs + ij]: exponent, centre, and factor.
static void coulomb(int pairs, const double *restrict zeta, const double *restrict px, const double *restrict py, const double *restrict pz,
                    const double *restrict factor, const double *restrict bound, const double *restrict density, double *restrict matrix)
{
    int all = PRODUCTS * pairs;
#pragma acc parallel loop gang vector_length(128) present(zeta[0:all], px[0:all], py[0:all], pz[0:all], factor[0:all], bound[0:pairs], \
                                                              density[0:pairs], matrix[0:pairs])
#pragma omp parallel for schedule(dynamic)
    for (int ij = 0; ij < pairs; ij++) {
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int kl = 0; kl < pairs; kl++) {
            if (bound[ij] * bound[kl] < SMALL)
                continue;
            double integral = 0;
            for (int a = 0; a < PRODUCTS; a++)
                for (int b = 0; b < PRODUCTS; b++) {
                    int at = a * pairs + ij, to = b * pairs + kl;
                    double p = zeta[at], q = zeta[to], x = px[at] - px[to], y = py[at] - py[to], z = pz[at] - pz[to];
                    double t = p * q / (p + q) * (x * x + y * y + z * z);
                    integral += factor[at] * factor[to] / (p * q * sqrt(p + q)) * boys(t);
                }
            sum += density[kl] * integral;
        }
        matrix[ij] = 2 * pow(PI, 2.5) * sum;
    }
}
#else
typedef struct { double zeta, centre[3], factor; } product_t;

#pragma acc routine seq
static double primitive(const product_t *a, const product_t *b)
{
    double far = 0, p = a->zeta, q = b->zeta;
    for (int c = 0; c < 3; ++c)
        far += (a->centre[c] - b->centre[c]) * (a->centre[c] - b->centre[c]);
    return a->factor * b->factor / (p * q * sqrt(p + q)) * boys(p * q / (p + q) * far);
}

static void coulomb(size_t pairs, product_t (*product)[PRODUCTS], double *bound, double *density, double *matrix)
{
    const double scale = 2 * pow(PI, 2.5);
#pragma acc parallel present(product[0:pairs][0:PRODUCTS], bound[0:pairs], density[0:pairs], matrix[0:pairs]) num_workers(4) vector_length(32)
    {
#pragma acc loop gang
#pragma omp parallel for schedule(dynamic)
        for (size_t ij = 0; ij < pairs; ++ij) {
            const product_t *bra = product[ij];
            const double enough = SMALL / bound[ij];
            double sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
            for (size_t kl = 0; kl < pairs; ++kl)
                if (bound[kl] >= enough) {
                    const product_t *ket = product[kl];
                    double integral = 0;
                    for (const product_t *a = bra; a < bra + PRODUCTS; ++a)
                        for (const product_t *b = ket; b < ket + PRODUCTS; ++b)
                            integral += primitive(a, b);
                    sum += density[kl] * integral;
                }
            matrix[ij] = scale * sum;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    static const double exponent[PRIMITIVES] = {2.2277, 0.4058, 0.1098}, weight[PRIMITIVES] = {0.1543, 0.5353, 0.4446};
    struct arguments args = arguments(argc, argv);
    int n = FUNCTIONS >> (args.shift + 1) / 2, pairs = n * (n + 1) / 2, all = PRODUCTS * pairs, ij = 0;
    double *zeta = NEW(double, all), *px = NEW(double, all), *py = NEW(double, all), *pz = NEW(double, all), *factor = NEW(double, all),
           *bound = NEW(double, pairs), *density = NEW(double, pairs), *matrix = NEW(double, pairs), sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++, ij++) {
            double c[3], d[3], far = 0;
            for (int k = 0; k < 3; k++) {
                c[k] = 16 * number(3 * i + k);
                d[k] = 16 * number(3 * j + k);
                far += (c[k] - d[k]) * (c[k] - d[k]);
            }
            for (int a = 0; a < PRODUCTS; a++) {
                double p = exponent[a / 3], q = exponent[a % 3];
                int at = a * pairs + ij;
                zeta[at] = p + q;
                px[at] = (p * c[0] + q * d[0]) / (p + q);
                py[at] = (p * c[1] + q * d[1]) / (p + q);
                pz[at] = (p * c[2] + q * d[2]) / (p + q);
                factor[at] = weight[a / 3] * weight[a % 3] * pow(4 * p * q / PI / PI, 0.75) * exp(-p * q / (p + q) * far);
            }
            // roughly the bound by its widest product
            bound[ij] = exp(-0.055 * far);
            density[ij] = (i == j ? 1 : 2) * (0.2 + number(ij));
        }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(zeta[0:all], px[0:all], py[0:all], pz[0:all], factor[0:all], bound[0:pairs], density[0:pairs]) create(matrix[0:pairs])
    while (lap(&t))
        coulomb(pairs, zeta, px, py, pz, factor, bound, density, matrix);
#else
    product_t(*product)[PRODUCTS] = malloc(sizeof(product_t) * all);
    for (int at = 0; at < all; at++)
        product[at % pairs][at / pairs] = (product_t){zeta[at], {px[at], py[at], pz[at]}, factor[at]};
#pragma acc enter data copyin(product[0:pairs], bound[0:pairs], density[0:pairs]) create(matrix[0:pairs])
    while (lap(&t))
        coulomb(pairs, product, bound, density, matrix);
#endif
#pragma acc update self(matrix[0:pairs])
    SUM(sum, matrix, pairs);
    report("repulsion", t.best, sum);
    return 0;
}
