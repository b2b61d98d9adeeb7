// One sweep of the 5-point stencil with the largest change, double, 4096 × 4096.
#include "common.h"

#if SPELLING == 1
static double jacobi(int n, const double *restrict u, double *restrict v)
{
    double change = 0;
#pragma acc parallel loop gang reduction(max:change) present(u[0:n * n], v[0:n * n])
    for (int i = 1; i < n - 1; i++) {
#pragma acc loop vector reduction(max:change)
        for (int j = 1; j < n - 1; j++) {
            int k = i * n + j;
            v[k] = 0.25 * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1]);
            change = fmax(change, fabs(v[k] - u[k]));
        }
    }
    return change;
}
#else
#define AT(p, i, j) (p)[(i) * n + (j)]
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static double jacobi(size_t n, double *u, double *v)
{
    double change = 0;
#pragma acc parallel loop collapse(2) reduction(max:change) present(u[0:n * n], v[0:n * n])
    for (size_t i = 1; i < n - 1; i++)
        for (size_t j = 1; j < n - 1; j++) {
            AT(v, i, j) = 0.25 * (AT(u, i - 1, j) + AT(u, i + 1, j) + AT(u, i, j - 1) + AT(u, i, j + 1));
            change = MAX(change, fabs(AT(v, i, j) - AT(u, i, j)));
        }
    return change;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> args.shift;
    size_t bytes = (size_t)n * n * sizeof(double);
    double *u = get(bytes), *v = get(bytes), change = 0;
#pragma acc enter data create(u[0:n * n], v[0:n * n])
#pragma acc parallel loop present(u[0:n * n], v[0:n * n])
    for (int k = 0; k < n * n; k++) {
        u[k] = mix(k) % 1024;
        v[k] = 0;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        change = jacobi(n, u, v);
    row("jacobi", n, w, 2.0 * bytes, 'B', checksum(n * n, v, 4) + (long long)(4 * change));
    return 0;
}
