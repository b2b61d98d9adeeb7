// Heat in a plate of 2048 x 2048 doubles whose rows are allocated one by one: a step and back, and the largest change.
#include "../kernels.h"

enum { SIDE = 2048 };

#if SPELLING == 1
static double heat(int n, double **now, double **next)
{
    double most = 0;
#pragma acc parallel loop present(now[0:n][0:n], next[0:n][0:n]) collapse(2) reduction(max : most)
#pragma omp parallel for reduction(max : most)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            next[i][j] = now[i][j] + 0.2 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4 * now[i][j]);
            most = fmax(most, fabs(next[i][j] - now[i][j]));
        }
    return most;
}
#elif SPELLING == 3
static double heat(int n, double **u, double **unew)
{
    double dmax = 0;
#pragma acc parallel loop gang reduction(max : dmax) present(u[0:n][0:n], unew[0:n][0:n])
    for (int i = 1; i < n - 1; i++) {
        double *up = u[i - 1], *me = u[i], *down = u[i + 1], *out = unew[i];
#pragma acc loop vector reduction(max : dmax)
        for (int j = 1; j < n - 1; j++) {
            out[j] = me[j] + 0.2 * (up[j] + down[j] + me[j - 1] + me[j + 1] - 4 * me[j]);
            double d = fabs(out[j] - me[j]);
            if (d > dmax)
                dmax = d;
        }
    }
    return dmax;
}
#elif SPELLING == 4
static double heat(long n, double **now, double **next)
{
    double most = 0;
#pragma acc kernels present(now[0:n][0:n], next[0:n][0:n])
    {
#pragma acc loop independent collapse(2)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                if (i > 0 && j > 0 && i < n - 1 && j < n - 1)
                    next[i][j] = 0.2 * (now[i][j] + now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
#pragma acc loop independent collapse(2) reduction(max : most)
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                most = fmax(fabs(now[i][j] - next[i][j]), most);
    }
    return most;
}
#else
static double heat(size_t n, double **from, double **to)
{
    double most = 0;
#pragma acc parallel present(from[0:n][0:n], to[0:n][0:n])
#pragma acc loop gang reduction(max : most)
#pragma omp parallel for reduction(max : most)
    for (size_t i = 1; i < n - 1; ++i) {
        const double *above = from[i - 1], *here = from[i], *below = from[i + 1];
        double *out = to[i];
#pragma acc loop vector reduction(max : most)
        for (size_t j = 1; j < n - 1; ++j) {
            double change = 0.2 * (above[j] + below[j] + here[j - 1] + here[j + 1] - 4 * here[j]);
            out[j] = here[j] + change;
            change = change < 0 ? -change : change;
            if (change > most)
                most = change;
        }
    }
    return most;
}
#endif

static double **plate(int n)
{
    double **rows = NEW(double *, n);
    for (int i = 0; i < n; i++) {
        rows[i] = NEW(double, n);
        for (int j = 0; j < n; j++)
            rows[i][j] = number(i * n + j);
    }
    return rows;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    double **a = plate(n), **b = plate(n), sum = 0, most = 0;
#pragma acc enter data copyin(a[0:n][0:n], b[0:n][0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        most = heat(n, a, b);
        most = heat(n, b, a);
    }
#pragma acc update self(a[0:n][0:n])
    for (int i = 0; i < n; i++)
        SUM(sum, a[i], n);
    report("rows", t.best, sum + most);
    return 0;
}
