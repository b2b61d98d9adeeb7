// Alternating directions: columns, then rows of a plate of 1024 x 1024 doubles, each a tridiagonal system solved by a sweep there and back.
#include "../kernels.h"

enum { SIDE = 1024 };

#if SPELLING == 1
static void step(int n, double *restrict u, double *restrict v, double *restrict p, double *restrict q)
{
    const double a = -0.4, b = 1.8, c = -0.4, d = -0.3, e = 1.6, f = -0.3;
#pragma acc parallel loop present(u[0:n * n], v[0:n * n], p[0:n * n], q[0:n * n])
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++) {
        v[i] = 1;
        p[i * n] = 0;
        q[i * n] = v[i];
        for (int j = 1; j < n - 1; j++) {
            p[i * n + j] = -c / (a * p[i * n + j - 1] + b);
            q[i * n + j] = (-d * u[j * n + i - 1] + (1 + 2 * d) * u[j * n + i] - f * u[j * n + i + 1] - a * q[i * n + j - 1]) /
                           (a * p[i * n + j - 1] + b);
        }
        v[(n - 1) * n + i] = 1;
        for (int j = n - 2; j >= 1; j--)
            v[j * n + i] = p[i * n + j] * v[(j + 1) * n + i] + q[i * n + j];
    }
#pragma acc parallel loop present(u[0:n * n], v[0:n * n], p[0:n * n], q[0:n * n])
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++) {
        u[i * n] = 1;
        p[i * n] = 0;
        q[i * n] = u[i * n];
        for (int j = 1; j < n - 1; j++) {
            p[i * n + j] = -f / (d * p[i * n + j - 1] + e);
            q[i * n + j] = (-a * v[(i - 1) * n + j] + (1 + 2 * a) * v[i * n + j] - c * v[(i + 1) * n + j] - d * q[i * n + j - 1]) /
                           (d * p[i * n + j - 1] + e);
        }
        u[i * n + n - 1] = 1;
        for (int j = n - 2; j >= 1; j--)
            u[i * n + j] = p[i * n + j] * u[i * n + j + 1] + q[i * n + j];
    }
}
#elif SPELLING == 3
#define a_ (-0.4)
#define b_ 1.8
#define c_ (-0.4)
#define d_ (-0.3)
#define e_ 1.6
#define f_ (-0.3)
static void step(int n, double *pu, double *pv, double *pp, double *pq)
{
    double(*u)[n] = (double(*)[n])pu, (*v)[n] = (double(*)[n])pv, (*p)[n] = (double(*)[n])pp, (*q)[n] = (double(*)[n])pq;
#pragma acc data present(u[0:n], v[0:n], p[0:n], q[0:n])
    {
#pragma acc parallel loop gang vector vector_length(64)
        for (int i = 1; i <= n - 2; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (int j = 1; j <= n - 2; j++) {
                p[i][j] = -c_ / (a_ * p[i][j - 1] + b_);
                q[i][j] = (-d_ * u[j][i - 1] + (1.0 + 2.0 * d_) * u[j][i] - f_ * u[j][i + 1] - a_ * q[i][j - 1]) / (a_ * p[i][j - 1] + b_);
            }
            v[n - 1][i] = 1.0;
            for (int j = 1; j <= n - 2; j++)
                v[n - 1 - j][i] = p[i][n - 1 - j] * v[n - j][i] + q[i][n - 1 - j];
        }
#pragma acc parallel loop gang vector vector_length(64)
        for (int i = 1; i <= n - 2; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (int j = 1; j <= n - 2; j++) {
                p[i][j] = -f_ / (d_ * p[i][j - 1] + e_);
                q[i][j] = (-a_ * v[i - 1][j] + (1.0 + 2.0 * a_) * v[i][j] - c_ * v[i + 1][j] - d_ * q[i][j - 1]) / (d_ * p[i][j - 1] + e_);
            }
            u[i][n - 1] = 1.0;
            for (int j = 1; j <= n - 2; j++)
                u[i][n - 1 - j] = p[i][n - 1 - j] * u[i][n - j] + q[i][n - 1 - j];
        }
    }
}
#elif SPELLING == 4
static void step(int n, double *restrict u, double *restrict v, double *restrict p, double *restrict q)
{
    const double mul1 = -0.4, diag1 = 1.8, mul2 = -0.3, diag2 = 1.6;
#pragma acc kernels present(u[0:n * n], v[0:n * n], p[0:n * n], q[0:n * n])
    {
#pragma acc loop independent
        for (int col = 1; col < n - 1; col++) {
            double *prow = p + col * n, *qrow = q + col * n;
            double pp = 0, qq = 1;
            prow[0] = pp;
            qrow[0] = qq;
            for (int j = 1; j < n - 1; j++) {
                const double *uj = u + j * n + col;
                double rhs = -mul2 * uj[-1] + (1 + 2 * mul2) * uj[0] - mul2 * uj[1];
                double den = mul1 * pp + diag1;
                qq = (rhs - mul1 * qq) / den;
                pp = -mul1 / den;
                prow[j] = pp;
                qrow[j] = qq;
            }
            double vv = 1;
            v[col] = 1;
            v[(n - 1) * n + col] = vv;
            for (int j = n - 2; j > 0; j--) {
                vv = prow[j] * vv + qrow[j];
                v[j * n + col] = vv;
            }
        }
#pragma acc loop independent
        for (int row = 1; row < n - 1; row++) {
            double *prow = p + row * n, *qrow = q + row * n, *urow = u + row * n;
            const double *above = v + (row - 1) * n, *here = v + row * n, *below = v + (row + 1) * n;
            double pp = 0, qq = 1;
            prow[0] = pp;
            qrow[0] = qq;
            for (int j = 1; j < n - 1; j++) {
                double rhs = -mul1 * above[j] + (1 + 2 * mul1) * here[j] - mul1 * below[j];
                double den = mul2 * pp + diag2;
                qq = (rhs - mul2 * qq) / den;
                pp = -mul2 / den;
                prow[j] = pp;
                qrow[j] = qq;
            }
            double uu = 1;
            urow[0] = 1;
            urow[n - 1] = uu;
            for (int j = n - 2; j > 0; j--) {
                uu = prow[j] * uu + qrow[j];
                urow[j] = uu;
            }
        }
    }
}
#else
#define U(i, j) u[(i)*n + (j)]
#define V(i, j) v[(i)*n + (j)]
#define P(i, j) p[(i)*n + (j)]
#define Q(i, j) q[(i)*n + (j)]

static void step(size_t n, double *u, double *v, double *p, double *q)
{
    const double a = -0.4, b = 1.8, c = -0.4, d = -0.3, e = 1.6, f = -0.3;
#pragma acc kernels present(u[0:n * n], v[0:n * n], p[0:n * n], q[0:n * n])
    {
#pragma acc loop independent gang vector
#pragma omp parallel for
        for (size_t i = 1; i < n - 1; ++i) {
            V(0, i) = 1;
            P(i, 0) = 0;
            Q(i, 0) = 1;
#pragma acc loop seq
            for (size_t j = 1; j < n - 1; ++j) {
                double below = a * P(i, j - 1) + b;
                P(i, j) = -c / below;
                Q(i, j) = (-d * U(j, i - 1) + (1 + 2 * d) * U(j, i) - f * U(j, i + 1) - a * Q(i, j - 1)) / below;
            }
            V(n - 1, i) = 1;
#pragma acc loop seq
            for (size_t j = n - 2; j >= 1; --j)
                V(j, i) = P(i, j) * V(j + 1, i) + Q(i, j);
        }
#pragma acc loop independent gang vector
#pragma omp parallel for
        for (size_t i = 1; i < n - 1; ++i) {
            U(i, 0) = 1;
            P(i, 0) = 0;
            Q(i, 0) = 1;
#pragma acc loop seq
            for (size_t j = 1; j < n - 1; ++j) {
                double below = d * P(i, j - 1) + e;
                P(i, j) = -f / below;
                Q(i, j) = (-a * V(i - 1, j) + (1 + 2 * a) * V(i, j) - c * V(i + 1, j) - d * Q(i, j - 1)) / below;
            }
            U(i, n - 1) = 1;
#pragma acc loop seq
            for (size_t j = n - 2; j >= 1; --j)
                U(i, j) = P(i, j) * U(i, j + 1) + Q(i, j);
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    double *u = NEW(double, n *n), *v = NEW(double, n *n), *p = NEW(double, n *n), *q = NEW(double, n *n), sum = 0;
    FILL(u, n * n, 1);
    FILL(v, n * n, 0);
#pragma acc enter data copyin(u[0:n * n], v[0:n * n]) create(p[0:n * n], q[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        step(n, u, v, p, q);
#pragma acc update self(u[0:n * n])
    SUM(sum, u, n *n);
    report("adi", t.best, sum);
    return 0;
}
