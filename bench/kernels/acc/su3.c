// Products of complex 3 × 3 matrices, double, as lattice QCD has them: 2^18 sites with a matrix in each of four directions.
#include "../kernels.h"

enum { SITES = 1 << 18, PARTS = 4 * 3 * 3 * 2 };

typedef struct {
    double real, imag;
} dcomplex;

typedef struct {
    dcomplex e[3][3];
} su3_matrix;

typedef struct {
    su3_matrix link[4];
} site;

#if SPELLING == 1
static void multiply(int sites, const site *restrict a, const su3_matrix *restrict b, site *restrict c)
{
#pragma acc parallel loop collapse(4) present(a[0:sites], b[0:4], c[0:sites])
#pragma omp parallel for
    for (int i = 0; i < sites; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    double real = 0, imag = 0;
                    for (int m = 0; m < 3; m++) {
                        dcomplex x = a[i].link[j].e[k][m], y = b[j].e[m][l];
                        real += x.real * y.real - x.imag * y.imag;
                        imag += x.real * y.imag + x.imag * y.real;
                    }
                    c[i].link[j].e[k][l].real = real;
                    c[i].link[j].e[k][l].imag = imag;
                }
}
#else
#define CMULSUM(a, b, c)                                                                             \
    {                                                                                                \
        (c).real += (a).real * (b).real - (a).imag * (b).imag;                                       \
        (c).imag += (a).real * (b).imag + (a).imag * (b).real;                                       \
    }

static void multiply(size_t sites, site *a, su3_matrix *b, site *c)
{
#pragma acc parallel loop gang present(a[0:sites], b[0:4], c[0:sites])
#pragma omp parallel for
    for (size_t i = 0; i < sites; ++i) {
#pragma acc loop vector collapse(3)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    dcomplex cc = {0.0, 0.0};
                    for (int m = 0; m < 3; m++)
                        CMULSUM(a[i].link[j].e[k][m], b[j].e[m][l], cc)
                    c[i].link[j].e[k][l] = cc;
                }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SITES >> args.shift;
    site *a = NEW(site, n), *c = NEW(site, n);
    su3_matrix *b = NEW(su3_matrix, 4);
    double *parts = (double *)c, sum = 0;
    FILL((double *)a, n * PARTS, 1);
    FILL((double *)b, PARTS, 1);
#pragma acc enter data copyin(a[0:n], b[0:4]) create(c[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        multiply(n, a, b, c);
#pragma acc update self(c[0:n])
    for (int i = 0; i < n * PARTS; i++)
        sum += parts[i] * (1 + i % 7);
    report("su3", t.best, sum);
    return 0;
}
