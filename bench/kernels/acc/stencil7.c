// 7-point stencil, double, 384³.
#include "../kernels.h"

enum { N = 384 };

#if SPELLING == 1
#define AT(p, i, j, k) (p)[((i) * n + (j)) * n + (k)]
static void sweep(int n, const double *restrict u, double *restrict v)
{
#pragma acc parallel loop collapse(3) present(u[0:n * n * n], v[0:n * n * n])
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
#pragma omp simd
            for (int k = 1; k < n - 1; k++)
                AT(v, i, j, k) = 0.4 * AT(u, i, j, k) +
                                 0.1 * (AT(u, i - 1, j, k) + AT(u, i + 1, j, k) + AT(u, i, j - 1, k) +
                                        AT(u, i, j + 1, k) + AT(u, i, j, k - 1) + AT(u, i, j, k + 1));
}
#elif SPELLING == 3
#define Index3D(nx, ny, i, j, k) ((i) + (nx) * ((j) + (ny) * (k)))
static void stencil(double c0, double c1, const double *A0, double *Anext, const int nx, const int ny, const int nz)
{
#pragma acc parallel loop gang collapse(2) present(A0[0:nx * ny * nz], Anext[0:nx * ny * nz])
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++) {
#pragma acc loop vector
            for (int i = 1; i < nx - 1; i++)
                Anext[Index3D(nx, ny, i, j, k)] =
                    (A0[Index3D(nx, ny, i, j, k + 1)] + A0[Index3D(nx, ny, i, j, k - 1)] + A0[Index3D(nx, ny, i, j + 1, k)] +
                     A0[Index3D(nx, ny, i, j - 1, k)] + A0[Index3D(nx, ny, i + 1, j, k)] + A0[Index3D(nx, ny, i - 1, j, k)]) * c1 +
                    A0[Index3D(nx, ny, i, j, k)] * c0;
        }
}
static void sweep(int n, const double *u, double *v)
{
    stencil(0.4, 0.1, u, v, n, n, n);
}
#elif SPELLING == 4
static void sweep(size_t n, const double *restrict u, double *restrict v)
{
    const size_t sy = n, sz = n * n;
#pragma acc parallel loop collapse(3) default(present) vector_length(128)
    for (size_t z = 0; z < n; z++)
        for (size_t y = 0; y < n; y++)
            for (size_t x = 0; x < n; x++)
                if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1) {
                    const double *p = u + z * sz + y * sy + x;
                    double around = p[-sz] + p[sz] + p[-sy] + p[sy] + p[-1] + p[1];
                    v[z * sz + y * sy + x] = 0.4 * *p + 0.1 * around;
                }
}
#else
static void sweep(int n, double *pu, double *pv)
{
    double(*u)[n][n] = (double(*)[n][n])pu, (*v)[n][n] = (double(*)[n][n])pv;
#pragma acc parallel present(u[0:n][0:n][0:n], v[0:n][0:n][0:n])
    {
#pragma acc loop gang
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
#pragma acc loop worker
            for (int j = 1; j < n - 1; j++)
#pragma acc loop vector
#pragma omp simd
                for (int k = 1; k < n - 1; k++)
                    v[i][j][k] = 0.4 * u[i][j][k] + 0.1 * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] +
                                                           u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1]);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n * n;
    double *u = NEW(double, all), *v = NEW(double, all), sum = 0;
    FILL(u, all, 1);
    FILL(v, all, 0);
#pragma acc enter data copyin(u[0:all], v[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        sweep(n, u, v);
#pragma acc update self(v[0:all])
    SUM(sum, v, all);
    report("stencil7", t.best, sum);
    return 0;
}
