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
#elif SPELLING == 3
static void permute(int n, double *pfrom, double *pto)
{
    double(*in)[B][C][D][E] = (double(*)[B][C][D][E])pfrom, (*out)[C][n][D][B] = (double(*)[C][n][D][B])pto;
#pragma acc parallel loop collapse(5) present(in[0:n], out[0:E])
    for (int e = 0; e < E; e++)
        for (int c = 0; c < C; c++)
            for (int a = 0; a < n; a++)
                for (int d = 0; d < D; d++)
                    for (int b = 0; b < B; b++)
                        out[e][c][a][d][b] = ALPHA * in[a][b][c][d][e];
}
#elif SPELLING == 4
static void permute(long n, const double *restrict from, double *restrict to)
{
    const long sd = E, sc = sd * D, sb = sc * C, sa = sb * B, total = sa * n;
#pragma acc parallel loop gang vector present(from[0:total], to[0:total])
    for (long t = 0; t < total; t++) {
        long rest = t;
        const long b = rest % B;
        rest /= B;
        const long d = rest % D;
        rest /= D;
        const long a = rest % n;
        rest /= n;
        const long c = rest % C, e = rest / C;
        to[t] = from[a * sa + b * sb + c * sc + d * sd + e] * ALPHA;
    }
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
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
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
