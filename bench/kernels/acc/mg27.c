// Residual of a 27-point stencil with four coefficients, as in multigrid, double, 256³. The second spelling keeps sums of
// neighbouring rows in arrays of the gang.
#include "../kernels.h"

enum { N = 256 };

#if SPELLING == 1
#define U(i, j, k) u[((i) * n + (j)) * n + (k)]
static void residual(int n, const double *restrict a, const double *restrict u, const double *restrict v,
                     double *restrict r)
{
    double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
#pragma acc parallel loop collapse(3) present(u[0:n * n * n], v[0:n * n * n], r[0:n * n * n])
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
#pragma omp simd
            for (int k = 1; k < n - 1; k++) {
                double faces = U(i - 1, j, k) + U(i + 1, j, k) + U(i, j - 1, k) + U(i, j + 1, k) + U(i, j, k - 1) +
                               U(i, j, k + 1);
                double edges = U(i - 1, j - 1, k) + U(i - 1, j + 1, k) + U(i + 1, j - 1, k) + U(i + 1, j + 1, k) +
                               U(i - 1, j, k - 1) + U(i - 1, j, k + 1) + U(i + 1, j, k - 1) + U(i + 1, j, k + 1) +
                               U(i, j - 1, k - 1) + U(i, j - 1, k + 1) + U(i, j + 1, k - 1) + U(i, j + 1, k + 1);
                double corners = U(i - 1, j - 1, k - 1) + U(i - 1, j - 1, k + 1) + U(i - 1, j + 1, k - 1) +
                                 U(i - 1, j + 1, k + 1) + U(i + 1, j - 1, k - 1) + U(i + 1, j - 1, k + 1) +
                                 U(i + 1, j + 1, k - 1) + U(i + 1, j + 1, k + 1);
                r[(i * n + j) * n + k] =
                    v[(i * n + j) * n + k] - a0 * U(i, j, k) - a1 * faces - a2 * edges - a3 * corners;
            }
}
#elif SPELLING == 3
#define MAXLINE 258
static void residual(int n, const double *pa, const double *pu, const double *pv, double *pr)
{
    const double(*u)[n][n] = (const double(*)[n][n])pu, (*v)[n][n] = (const double(*)[n][n])pv;
    double(*r)[n][n] = (double(*)[n][n])pr;
    const double c0 = pa[0], c1 = pa[1], c2 = pa[2], c3 = pa[3];
    double u1[MAXLINE], u2[MAXLINE];
#pragma acc parallel loop gang collapse(2) private(u1, u2) present(u[0:n], v[0:n], r[0:n])
    for (int i3 = 1; i3 < n - 1; i3++)
        for (int i2 = 1; i2 < n - 1; i2++) {
#pragma acc loop vector
            for (int i1 = 0; i1 < n; i1++) {
                u1[i1] = u[i3][i2 - 1][i1] + u[i3][i2 + 1][i1] + u[i3 - 1][i2][i1] + u[i3 + 1][i2][i1];
                u2[i1] = u[i3 - 1][i2 - 1][i1] + u[i3 - 1][i2 + 1][i1] + u[i3 + 1][i2 - 1][i1] + u[i3 + 1][i2 + 1][i1];
            }
#pragma acc loop vector
            for (int i1 = 1; i1 < n - 1; i1++)
                r[i3][i2][i1] = v[i3][i2][i1] - c0 * u[i3][i2][i1] - c1 * (u[i3][i2][i1 - 1] + u[i3][i2][i1 + 1] + u1[i1]) -
                                c2 * (u2[i1] + u1[i1 - 1] + u1[i1 + 1]) - c3 * (u2[i1 - 1] + u2[i1 + 1]);
        }
}
#elif SPELLING == 4
static void residual(int n, const double *a, const double *restrict u, const double *restrict v, double *restrict r)
{
    const int n2 = n * n;
#pragma acc parallel loop collapse(3) present(u[0:n * n2], v[0:n * n2], r[0:n * n2]) copyin(a[0:4])
    for (int z = 1; z < n - 1; z++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                double au = 0;
#pragma acc loop seq
                for (int dz = -1; dz <= 1; dz++)
#pragma acc loop seq
                    for (int dy = -1; dy <= 1; dy++)
#pragma acc loop seq
                        for (int dx = -1; dx <= 1; dx++)
                            au += a[abs(dz) + abs(dy) + abs(dx)] * u[(z + dz) * n2 + (y + dy) * n + x + dx];
                const int at = z * n2 + y * n + x;
                r[at] = v[at] - au;
            }
}
#else
static void residual(long n, double *coefficients, double *pu, double *pv, double *pr)
{
    double(*u)[n][n] = (double(*)[n][n])pu, (*v)[n][n] = (double(*)[n][n])pv, (*r)[n][n] = (double(*)[n][n])pr;
    double a[4] = {coefficients[0], coefficients[1], coefficients[2], coefficients[3]}, u1[N], u2[N];
#pragma acc parallel loop gang collapse(2) private(u1, u2) firstprivate(a)                                             \
    present(u[0:n][0:n][0:n], v[0:n][0:n][0:n], r[0:n][0:n][0:n])
#pragma omp parallel for collapse(2) private(u1, u2)
    for (long i3 = 1; i3 < n - 1; i3++)
        for (long i2 = 1; i2 < n - 1; i2++) {
#pragma acc loop vector
#pragma omp simd
            for (long i1 = 0; i1 < n; i1++) {
                u1[i1] = u[i3][i2 - 1][i1] + u[i3][i2 + 1][i1] + u[i3 - 1][i2][i1] + u[i3 + 1][i2][i1];
                u2[i1] = u[i3 - 1][i2 - 1][i1] + u[i3 - 1][i2 + 1][i1] + u[i3 + 1][i2 - 1][i1] + u[i3 + 1][i2 + 1][i1];
            }
#pragma acc loop vector
#pragma omp simd
            for (long i1 = 1; i1 < n - 1; i1++)
                r[i3][i2][i1] = v[i3][i2][i1] - a[0] * u[i3][i2][i1] -
                                a[1] * (u[i3][i2][i1 - 1] + u[i3][i2][i1 + 1] + u1[i1]) -
                                a[2] * (u2[i1] + u1[i1 - 1] + u1[i1 + 1]) - a[3] * (u2[i1 - 1] + u2[i1 + 1]);
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n * n;
    double *u = NEW(double, all), *v = NEW(double, all), *r = NEW(double, all), sum = 0;
    double a[4] = {-8.0 / 3, 0.05, 1.0 / 6, 1.0 / 12};
    FILL(u, all, 1);
    FILL(v, all, 2);
    FILL(r, all, 0);
#pragma acc enter data copyin(u[0:all], v[0:all], r[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        residual(n, a, u, v, r);
#pragma acc update self(r[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(r[k]) * (1 + k % 7);
    report("mg27", t.best, sum);
    return 0;
}
