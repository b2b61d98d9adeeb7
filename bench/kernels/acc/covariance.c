// Covariance of 512 variables in 1024 observations, double: means, deviations, products of all pairs.
#include "../kernels.h"

enum { VARIABLES = 512, OBSERVATIONS = 1024 };

#if SPELLING == 1
static void covariance(int m, int n, const double *restrict data, double *restrict mean, double *restrict d,
                       double *restrict c)
{
#pragma acc parallel loop async present(data[0:n * m], mean[0:m])
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += data[i * m + j];
        mean[j] = s / n;
    }
#pragma acc parallel loop collapse(2) async present(data[0:n * m], mean[0:m], d[0:n * m])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma omp simd
        for (int j = 0; j < m; j++)
            d[i * m + j] = data[i * m + j] - mean[j];
#pragma acc parallel loop collapse(2) async present(d[0:n * m], c[0:m * m])
#pragma omp parallel for schedule(dynamic, 4)
    for (int p = 0; p < m; p++)
#pragma omp simd
        for (int q = 0; q < m; q++)
            if (q >= p) {
                double s = 0;
                for (int i = 0; i < n; i++)
                    s += d[i * m + p] * d[i * m + q];
                c[p * m + q] = c[q * m + p] = s / (n - 1);
            }
#pragma acc wait
}
#else
static void covariance(size_t m, size_t n, double *pdata, double *mean, double *pd, double *pc)
{
    double(*data)[m] = (double(*)[m])pdata, (*d)[m] = (double(*)[m])pd, (*c)[m] = (double(*)[m])pc;
#pragma acc data present(data[0:n][0:m], mean[0:m], d[0:n][0:m], c[0:m][0:m])
    {
#pragma acc kernels loop independent async
#pragma omp parallel for
        for (size_t j = 0; j < m; j++) {
            double s = 0;
            for (size_t i = 0; i < n; i++)
                s += data[i][j];
            mean[j] = s / (double)n;
        }
#pragma acc parallel loop gang async
#pragma omp parallel for
        for (size_t i = 0; i < n; i++)
#pragma acc loop vector
#pragma omp simd
            for (size_t j = 0; j < m; j++)
                d[i][j] = data[i][j] - mean[j];
#pragma acc parallel loop gang async
#pragma omp parallel for schedule(dynamic, 4)
        for (size_t p = 0; p < m; p++)
#pragma acc loop vector
#pragma omp simd
            for (size_t q = p; q < m; q++) {
                double s = 0;
#pragma acc loop seq
                for (size_t i = 0; i < n; i++)
                    s += d[i][p] * d[i][q];
                c[p][q] = s / (double)(n - 1);
                c[q][p] = c[p][q];
            }
#pragma acc wait
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = VARIABLES >> args.shift, n = OBSERVATIONS >> args.shift;
    double *data = NEW(double, n *m), *mean = NEW(double, m), *d = NEW(double, n *m), *c = NEW(double, m *m), sum = 0;
    FILL(data, n * m, 1);
#pragma acc enter data copyin(data[0:n * m]) create(mean[0:m], d[0:n * m], c[0:m * m])
    struct watch w = watch(args.repeats);
    while (lap(&w))
        covariance(m, n, data, mean, d, c);
#pragma acc update self(c[0:m * m])
    for (int k = 0; k < m * m; k++)
        sum += fabs(c[k]);
    report("covariance", w.best, sum);
    return 0;
}
