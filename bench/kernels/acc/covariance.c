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
#elif SPELLING == 3
static void covariance(int m, int n, double *data_, double *mean, double *dev_, double *cov_)
{
    double(*data)[m] = (double(*)[m])data_, (*dev)[m] = (double(*)[m])dev_, (*cov)[m] = (double(*)[m])cov_;
#pragma acc data present(data[0:n], mean[0:m], dev[0:n], cov[0:m])
    {
#pragma acc parallel loop gang
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
#pragma acc loop vector reduction(+ : sum)
            for (int i = 0; i < n; i++)
                sum += data[i][j];
            mean[j] = sum / n;
        }
#pragma acc parallel loop gang
        for (int i = 0; i < n; i++)
#pragma acc loop vector
            for (int j = 0; j < m; j++)
                dev[i][j] = data[i][j] - mean[j];
#pragma acc parallel loop gang
        for (int j1 = 0; j1 < m; j1++)
#pragma acc loop vector
            for (int j2 = j1; j2 < m; j2++) {
                double sum = 0.0;
                for (int i = 0; i < n; i++)
                    sum += dev[i][j1] * dev[i][j2];
                sum /= n - 1;
                cov[j1][j2] = sum;
                cov[j2][j1] = sum;
            }
    }
}
#elif SPELLING == 4
#define AT(p, i, j) p[(i) * m + (j)]
static void covariance(long m, long n, double *data, double *mean, double *d, double *c)
{
#pragma acc kernels present(data, mean, d, c)
    {
#pragma acc loop independent
        for (long j = 0; j < m; j++) {
            mean[j] = 0;
            for (long i = 0; i < n; i++)
                mean[j] += AT(data, i, j);
            mean[j] /= n;
            for (long i = 0; i < n; i++)
                AT(d, i, j) = AT(data, i, j) - mean[j];
        }
#pragma acc loop independent collapse(2)
        for (long p = 0; p < m; p++)
            for (long q = 0; q < m; q++)
                if (p <= q) {
                    AT(c, p, q) = 0;
                    for (long i = 0; i < n; i++)
                        AT(c, p, q) += AT(d, i, p) * AT(d, i, q);
                    AT(c, p, q) /= n - 1;
                }
#pragma acc loop independent collapse(2)
        for (long p = 0; p < m; p++)
            for (long q = 0; q < m; q++)
                if (p > q)
                    AT(c, p, q) = AT(c, q, p);
    }
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
