// The five dimensions of a tensor of 32 x 40 x 12 x 28 x 36 doubles in another order, times a number: b[e][c][a][d][b] from a[a][b][c][d][e].
#include "../kernels.h"

enum { A = 32, B = 40, C = 12, D = 28, E = 36 };
#define ALPHA 1.5

#if SPELLING == 1
static void permute(int n, const double *restrict from, double *restrict to)
{
#pragma acc parallel loop collapse(5) present(from[0:n * B * C * D * E], to[0:n * B * C * D * E])
#pragma omp parallel for collapse(3)
    for (int a = 0; a < n; a++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                for (int d = 0; d < D; d++)
                    for (int e = 0; e < E; e++)
                        to[(((e * C + c) * n + a) * D + d) * B + b] = ALPHA * from[(((a * B + b) * C + c) * D + d) * E + e];
}
#else
static void permute(size_t n, double from[n][B][C][D][E], double to[E][C][n][D][B])
{
#pragma acc parallel loop gang collapse(3) present(from[0:n], to[0:E])
#pragma omp parallel for collapse(3)
    for (size_t c = 0; c < C; ++c)
        for (size_t a = 0; a < n; ++a)
            for (size_t d = 0; d < D; ++d) {
#pragma acc loop vector tile(16, 16)
                for (size_t e = 0; e < E; ++e)
                    for (size_t b = 0; b < B; ++b)
                        to[e][c][a][d][b] = from[a][b][c][d][e] * ALPHA;
            }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = A >> args.shift, all = n * B * C * D * E;
    double *from = NEW(double, all), *to = NEW(double, all), sum = 0;
    FILL(from, all, 1);
#pragma acc enter data copyin(from[0:all]) create(to[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        permute(n, from, to);
#else
        permute(n, (void *)from, (void *)to);
#endif
    }
#pragma acc update self(to[0:all])
    for (int k = 0; k < all; k++)
        sum += to[k] * (1 + k % 11);
    report("permute", t.best, sum);
    return 0;
}
