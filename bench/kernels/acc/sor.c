// Relaxation of a grid of 2048 x 2048 doubles: first the points of one colour of a chessboard, then those of the other.
#include "../kernels.h"

enum { SIDE = 2048 };

#if SPELLING == 1
static void sor(int n, double omega, double *restrict u, const double *restrict f)
{
    for (int colour = 0; colour < 2; colour++) {
#pragma acc parallel loop gang vector collapse(2) present(u[0:n * n], f[0:n * n])
#pragma omp parallel for collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                if ((i + j) % 2 == colour)
                    u[i * n + j] = (1 - omega) * u[i * n + j] +
                                   omega * 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - f[i * n + j]);
    }
}
#else
#define AT(g, i, j) ((g)[(i) * n + (j)])

static void sweep(size_t n, double omega, double *u, double *f, size_t colour)
{
#pragma acc parallel loop gang present(u[0:n * n], f[0:n * n])
#pragma omp parallel for
    for (size_t i = 1; i < n - 1; ++i) {
        size_t first = 1 + (i + 1 + colour) % 2;
#pragma acc loop vector
        for (size_t j = first; j < n - 1; j += 2) {
            double around = AT(u, i - 1, j) + AT(u, i + 1, j) + AT(u, i, j - 1) + AT(u, i, j + 1);
            AT(u, i, j) += omega * ((around - AT(f, i, j)) / 4 - AT(u, i, j));
        }
    }
}

static void sor(size_t n, double omega, double *u, double *f)
{
    sweep(n, omega, u, f, 0);
    sweep(n, omega, u, f, 1);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    double *u = NEW(double, n *n), *f = NEW(double, n *n), sum = 0;
    FILL(u, n * n, 1);
    FILL(f, n * n, 0.01);
#pragma acc enter data copyin(u[0:n * n], f[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        sor(n, 1.2, u, f);
#pragma acc update self(u[0:n * n])
    SUM(sum, u, n * n);
    report("sor", t.best, sum);
    return 0;
}
