// One sweep of the 5-point stencil with the largest change, double, 4096 × 4096: a row to a team, or to a thread whose lanes share it.
#include "common.h"

static double jacobi(int n, const double *restrict u, double *restrict v)
{
    double change = 0;
#ifdef WITH_SIMD
#pragma omp target teams distribute parallel for reduction(max : change)
#else
#pragma omp target teams distribute reduction(max : change)
#endif
    for (int i = 1; i < n - 1; i++) {
#ifdef WITH_SIMD
#pragma omp simd reduction(max : change)
#else
#pragma omp parallel for reduction(max : change)
#endif
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
#pragma omp target enter data map(alloc : u[0 : n * n], v[0 : n * n])
#pragma omp target teams distribute parallel for
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
