// Twelve steps of the power method with a symmetric matrix of 4096 rows, double, of which only the lower triangle is stored, row after row.
#include "../kernels.h"

enum { ROWS = 4096, STEPS = 12 };

#if SPELLING == 1
static double power(int n, const double *restrict a, double *restrict x, double *restrict y)
{
    double lambda = 0;
#pragma acc data present(a[0:n * (n + 1) / 2], x[0:n], y[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = 1 / sqrt(n);
        for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop gang
#pragma omp parallel for schedule(dynamic, 16)
            for (int i = 0; i < n; i++) {
                double sum = 0;
#pragma acc loop vector reduction(+ : sum)
                for (int j = 0; j <= i; j++)
                    sum += a[i * (i + 1) / 2 + j] * x[j];
#pragma acc loop vector reduction(+ : sum)
                for (int j = i + 1; j < n; j++)
                    sum += a[j * (j + 1) / 2 + i] * x[j];
                y[i] = sum;
            }
            double norm = 0;
            lambda = 0;
#pragma acc parallel loop reduction(+ : norm, lambda)
#pragma omp parallel for reduction(+ : norm, lambda)
            for (int i = 0; i < n; i++) {
                norm += y[i] * y[i];
                lambda += x[i] * y[i];
            }
            norm = sqrt(norm);
#pragma acc parallel loop
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                x[i] = y[i] / norm;
        }
    }
    return lambda;
}
#else
struct symmetric { long n; double *element; };

#define PLACE(i, j) ((i) >= (j) ? (i) * ((i) + 1) / 2 + (j) : (j) * ((j) + 1) / 2 + (i))

#pragma acc routine seq
static double at(const double *element, long i, long j) { return element[PLACE(i, j)]; }

static double dot(long n, const double *u, const double *v)
{
    double sum = 0.0;
#pragma acc kernels present(u[0:n], v[0:n])
#pragma acc loop reduction(+ : sum)
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; ++i)
        sum += u[i] * v[i];
    return sum;
}

static void multiply(struct symmetric a, const double *x, double *y)
{
    const long n = a.n;
    const double *element = a.element;
#pragma acc kernels present(element[0:n * (n + 1) / 2], x[0:n], y[0:n])
#pragma acc loop independent
#pragma omp parallel for schedule(dynamic, 16)
    for (long i = 0; i < n; ++i) {
        double sum = 0.0;
#pragma acc loop independent reduction(+ : sum)
        for (long j = 0; j < n; ++j)
            sum += at(element, i, j) * x[j];
        y[i] = sum;
    }
}

static double power(struct symmetric a, double *x, double *y)
{
    double lambda = 0.0;
    long n = a.n;
#pragma acc kernels loop independent present(x[0:n])
#pragma omp parallel for
    for (long i = 0; i < n; ++i)
        x[i] = 1.0 / sqrt((double)n);
    int step = STEPS;
    while (step-- > 0) {
        multiply(a, x, y);
        lambda = dot(n, x, y);
        const double scale = 1.0 / sqrt(dot(n, y, y));
#pragma acc kernels loop independent present(x[0:n], y[0:n])
#pragma omp parallel for
        for (long i = 0; i < n; ++i)
            x[i] = scale * y[i];
    }
    return lambda;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> (args.shift + 1) / 2, size = n * (n + 1) / 2;
    double *a = NEW(double, size), *x = NEW(double, n), *y = NEW(double, n), lambda = 0, sum = 0;
    for (int i = 0, k = 0; i < n; i++)
        for (int j = 0; j <= i; j++, k++)
            a[k] = (i == j ? 5 : 0) + 30.0 / (30 + i - j) + 0.01 * number(k);
#pragma acc enter data copyin(a[0:size]) create(x[0:n], y[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        lambda = power(n, a, x, y);
#else
        lambda = power((struct symmetric){n, a}, x, y);
#endif
    }
#pragma acc update self(x[0:n])
    for (int i = 0; i < n; i++)
        sum += (i % 7 + 1) * x[i];
    report("packed", t.best, sum + lambda);
    return 0;
}
