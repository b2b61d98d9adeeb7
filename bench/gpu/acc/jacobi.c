// One sweep of the 5-point stencil with the largest change, double, 4096 × 4096.
#include "common.h"

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
