// A contraction of the last dimension of 64 x 64 x 96 doubles with a matrix, through a row of the gang's own.
#include "../kernels.h"

enum { NR = 64, NQ = 64, NP = 96 };

#if SPELLING == 1
static void contract(int nr, int nq, int np, double *restrict a, const double *restrict c)
{
    double sum[NP];
#pragma acc parallel loop gang collapse(2) private(sum) present(a[0:nr * nq * np], c[0:np * np])
#pragma omp parallel for collapse(2) private(sum)
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
#pragma acc loop vector
            for (int p = 0; p < np; p++) {
                sum[p] = 0;
                for (int s = 0; s < np; s++)
                    sum[p] += a[(r * nq + q) * np + s] * c[s * np + p];
            }
#pragma acc loop vector
            for (int p = 0; p < np; p++)
                a[(r * nq + q) * np + p] = sum[p];
        }
}
#elif SPELLING == 3
#define A3(r, q, p) a[((r) * nq + (q)) * np + (p)]
static void contract(int nr, int nq, int np, double *a, double *c4)
{
    double row[NP];
#pragma acc parallel loop gang collapse(2) private(row) vector_length(96) present(a[0:nr * nq * np], c4[0:np * np])
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
#pragma acc loop vector
            for (int p = 0; p < np; p++) {
                double t = 0;
#pragma acc loop seq
                for (int s = 0; s < np; s++)
                    t += A3(r, q, s) * c4[s * np + p];
                row[p] = t;
            }
#pragma acc loop vector
            for (int p = 0; p < np; p++)
                A3(r, q, p) = row[p];
        }
}
#elif SPELLING == 4
static double product_of[NR][NQ][NP];
#pragma acc declare create(product_of)
static void contract(size_t nr, size_t nq, size_t np, double *flat, const double *c4)
{
    double(*a)[NQ][NP] = (double(*)[NQ][NP])flat;
    const double(*c)[NP] = (const double(*)[NP])c4;
#pragma acc parallel loop collapse(3) present(a[0:nr], c[0:NP])
    for (size_t r = 0; r < nr; r++)
        for (size_t q = 0; q < NQ; q++)
            for (size_t p = 0; p < NP; p++) {
                product_of[r][q][p] = 0.0;
                for (size_t s = 0; s < NP; s++)
                    product_of[r][q][p] += a[r][q][s] * c[s][p];
            }
#pragma acc parallel loop collapse(3) present(a[0:nr])
    for (size_t r = 0; r < nr; r++)
        for (size_t q = 0; q < NQ; q++)
            for (size_t p = 0; p < NP; p++)
                a[r][q][p] = product_of[r][q][p];
}
#else
static void contract(size_t nr, size_t nq, size_t np, double (*a)[NQ][NP], double (*c)[NP])
{
    for (size_t r = 0; r < nr; ++r) {
#pragma acc parallel loop gang present(a[0:nr], c[0:np]) async
#pragma omp parallel for
        for (size_t q = 0; q < nq; ++q) {
            double sum[NP];
            for (size_t p = 0; p < np; ++p) {
                double total = 0;
                for (size_t s = 0; s < np; ++s)
                    total += a[r][q][s] * c[s][p];
                sum[p] = total;
            }
            for (size_t p = 0; p < np; ++p)
                a[r][q][p] = sum[p];
        }
    }
#pragma acc wait
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int nr = NR >> args.shift / 2, all = nr * NQ * NP;
    double *a = NEW(double, all), *c = NEW(double, NP *NP), sum = 0;
    FILL(a, all, 1);
    FILL(c, NP * NP, 1.0 / NP);
#pragma acc enter data copyin(a[0:all], c[0:NP * NP])
    struct watch t = watch(args.repeats);
    while (lap(&t))
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
        contract(nr, NQ, NP, a, c);
#else
        contract(nr, NQ, NP, (double(*)[NQ][NP])a, (double(*)[NP])c);
#endif
#pragma acc update self(a[0:all])
    for (int k = 0; k < all; k++)
        sum += a[k] * pow(2, t.laps);
    report("doitgen", t.best, sum);
    return 0;
}
