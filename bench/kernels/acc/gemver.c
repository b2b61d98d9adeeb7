// Two updates of rank one of a matrix of 2048 x 2048 doubles, a product with its transpose and a product with it.
#include "../kernels.h"

enum { N = 2048 };

#if SPELLING == 1
static void gemver(int n, double alpha, double beta, double *restrict a, const double *restrict u1, const double *restrict v1,
                   const double *restrict u2, const double *restrict v2, double *restrict w, double *restrict x,
                   const double *restrict y, const double *restrict z)
{
#pragma acc data present(a[0:n * n], u1[0:n], v1[0:n], u2[0:n], v2[0:n], w[0:n], x[0:n], y[0:n], z[0:n])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i * n + j] = a[i * n + j] + u1[i] * v1[j] + u2[i] * v2[j];
#pragma acc parallel loop gang vector
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double sum = 0;
#pragma acc loop seq
            for (int j = 0; j < n; j++)
                sum += beta * a[j * n + i] * y[j];
            x[i] = sum + z[i];
        }
#pragma acc parallel loop gang
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double sum = 0;
#pragma acc loop vector reduction(+ : sum)
#pragma omp simd reduction(+ : sum)
            for (int j = 0; j < n; j++)
                sum += alpha * a[i * n + j] * x[j];
            w[i] = sum;
        }
    }
}
#elif SPELLING == 3
struct gemver_vectors {
    double *u1, *v1, *u2, *v2, *w, *x, *y, *z;
};
static void gemver_run(int n, double alpha, double beta, double *A, const struct gemver_vectors *g)
{
    double *u1 = g->u1, *v1 = g->v1, *u2 = g->u2, *v2 = g->v2;
    double *w = g->w, *x = g->x, *y = g->y, *z = g->z;
#pragma acc data present(A[0:n * n], u1[0:n], v1[0:n], u2[0:n], v2[0:n], w[0:n], x[0:n], y[0:n], z[0:n])
    {
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                A[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
#pragma acc parallel loop gang
        for (int i = 0; i < n; i++) {
            double s = z[i];
#pragma acc loop vector reduction(+ : s)
            for (int j = 0; j < n; j++)
                s += beta * A[j * n + i] * y[j];
            x[i] = s;
        }
#pragma acc parallel loop gang
        for (int i = 0; i < n; i++) {
            double s = 0;
#pragma acc loop vector reduction(+ : s)
            for (int j = 0; j < n; j++)
                s += alpha * A[i * n + j] * x[j];
            w[i] = s;
        }
    }
}
static void gemver(int n, double alpha, double beta, double *a, double *u1, double *v1, double *u2, double *v2, double *w, double *x,
                   double *y, double *z)
{
    struct gemver_vectors g = {u1, v1, u2, v2, w, x, y, z};
    gemver_run(n, alpha, beta, a, &g);
}
#elif SPELLING == 4
static void gemver(int n, double alpha, double beta, double *mat, double *u1, double *v1, double *u2, double *v2, double *w, double *x,
                   double *y, double *z)
{
    double(*A)[n] = (double(*)[n])mat;
#pragma acc kernels present(A[0:n], u1[0:n], v1[0:n], u2[0:n], v2[0:n], w[0:n], x[0:n], y[0:n], z[0:n])
    {
#pragma acc loop independent
        for (int i = 0; i < n; i++)
#pragma acc loop independent
            for (int j = 0; j < n; j++)
                A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
#pragma acc loop independent
        for (int i = 0; i < n; i++) {
            x[i] = 0;
            w[i] = 0;
        }
#pragma acc loop independent
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i] = x[i] + beta * A[j][i] * y[j];
#pragma acc loop independent
        for (int i = 0; i < n; i++)
            x[i] = x[i] + z[i];
#pragma acc loop independent
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                w[i] = w[i] + alpha * A[i][j] * x[j];
    }
}
#else
static void gemver(size_t n, double alpha, double beta, double *at, double *u1, double *v1, double *u2, double *v2, double *w, double *x,
                   double *y, double *z)
{
    double(*a)[n] = (double(*)[n])at;
#pragma acc kernels present(a[0:n][0:n], u1[0:n], v1[0:n], u2[0:n], v2[0:n], w[0:n], x[0:n], y[0:n], z[0:n])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i)
#pragma acc loop independent
            for (size_t j = 0; j < n; ++j)
                a[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
#pragma acc loop independent
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
            x[i] = 0;
#pragma acc loop seq
            for (size_t j = 0; j < n; ++j)
                x[i] += beta * a[j][i] * y[j];
            x[i] += z[i];
        }
#pragma acc loop independent
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
            w[i] = 0;
#pragma acc loop seq
            for (size_t j = 0; j < n; ++j)
                w[i] += alpha * a[i][j] * x[j];
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> (args.shift + 1) / 2;
    double *a = NEW(double, n *n), *of[8], sum = 0;
    for (int k = 0; k < 8; k++) {
        of[k] = NEW(double, n);
        for (int i = 0; i < n; i++)
            of[k][i] = number(i * 8 + k) / n;
    }
    double *u1 = of[0], *v1 = of[1], *u2 = of[2], *v2 = of[3], *w = of[4], *x = of[5], *y = of[6], *z = of[7];
    FILL(a, n * n, 1);
#pragma acc enter data copyin(a[0:n * n], u1[0:n], v1[0:n], u2[0:n], v2[0:n], w[0:n], x[0:n], y[0:n], z[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        gemver(n, 1.5, 1.2, a, u1, v1, u2, v2, w, x, y, z);
#pragma acc update self(w[0:n])
    SUM(sum, w, n);
    report("gemver", t.best, sum);
    return 0;
}
