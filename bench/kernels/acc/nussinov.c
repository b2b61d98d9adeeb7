// The most pairs of a folded strand of 1024 bases: a launch for each diagonal, whose cells take the best of all ways to split them.
#include "../kernels.h"

enum { LENGTH = 1024 };

#if SPELLING == 1
static void fold(int n, const char *restrict base, int *restrict table)
{
#pragma acc data present(base[0:n], table[0:n * n])
    for (int d = 1; d < n; d++) {
#pragma acc parallel loop gang async
#pragma omp parallel for
        for (int i = 0; i < n - d; i++) {
            int j = i + d, best = table[i * n + j - 1];
            best = best > table[(i + 1) * n + j] ? best : table[(i + 1) * n + j];
            int paired = table[(i + 1) * n + j - 1] + (d > 1 && base[i] + base[j] == 3);
            best = best > paired ? best : paired;
#pragma acc loop vector reduction(max : best)
#pragma omp simd reduction(max : best)
            for (int k = i + 1; k < j; k++) {
                int split = table[i * n + k] + table[(k + 1) * n + j];
                best = split > best ? split : best;
            }
            table[i * n + j] = best;
        }
    }
#pragma acc wait
}
#else
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define T(i, j) t[(size_t)(i) * n + (j)]

static void fold(size_t n, char *base, int *t)
{
    for (size_t d = 1; d < n; ++d) {
#pragma acc kernels loop independent present(base[0:n], t[0:n * n])
#pragma omp parallel for
        for (size_t j = d; j < n; ++j) {
            size_t i = j - d;
            int best = MAX(T(i, j - 1), T(i + 1, j));
            if (d > 1)
                best = MAX(best, T(i + 1, j - 1) + (base[i] + base[j] == 3));
            for (size_t k = i + 1; k < j; ++k)
                best = MAX(best, T(i, k) + T(k + 1, j));
            T(i, j) = best;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = LENGTH >> args.shift, *table = NEW(int, n *n);
    char *base = NEW(char, n);
    double sum = 0;
    for (int k = 0; k < n; k++)
        base[k] = mix(k) % 4;
    for (int k = 0; k < n * n; k++)
        table[k] = 0;
#pragma acc enter data copyin(base[0:n], table[0:n * n])
    struct watch t = watch(args.repeats < 10 ? args.repeats : 10);
    while (lap(&t))
        fold(n, base, table);
#pragma acc update self(table[0:n * n])
    SUM(sum, table, n * n);
    report("nussinov", t.best, sum);
    return 0;
}
