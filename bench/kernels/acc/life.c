// A generation of the game of life on a torus of 4096 x 4096 cells, a byte each.
#include "../kernels.h"

enum { SIDE = 4096 };

#if SPELLING == 1
static void generation(int n, const unsigned char *restrict old, unsigned char *restrict new)
{
#pragma acc parallel loop collapse(2) present(old[0:n * n], new[0:n * n])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int around = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    if (di || dj)
                        around += old[(i + di + n) % n * n + (j + dj + n) % n];
            new[i * n + j] = around == 3 || (around == 2 && old[i * n + j]);
        }
}
#else
typedef unsigned char cell;
#define WRAP(k) ((k) & (n - 1))

static void generation(size_t n, cell *old, cell *new)
{
#pragma acc kernels present(old[0:n * n], new[0:n * n])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
            cell *above = old + n * WRAP(i - 1), *row = old + n * i, *below = old + n * WRAP(i + 1);
#pragma acc loop independent
            for (size_t j = 0; j < n; ++j) {
                size_t left = WRAP(j - 1), right = WRAP(j + 1);
                unsigned around = above[left] + above[j] + above[right] + row[left] + row[right] + below[left] + below[j] +
                                  below[right];
                new[n * i + j] = (around | row[j]) == 3;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    unsigned char *old = NEW(unsigned char, n *n), *new = NEW(unsigned char, n *n);
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        old[k] = mix(k) % 3 == 0;
#pragma acc enter data copyin(old[0:n * n]) create(new[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        generation(n, old, new);
#pragma acc update self(new[0:n * n])
    for (int k = 0; k < n * n; k++)
        sum += new[k] * (1 + k % 7);
    report("life", t.best, sum);
    return 0;
}
