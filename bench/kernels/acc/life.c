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
#elif SPELLING == 3
static void generation(int n, unsigned char *old, unsigned char *next)
{
#pragma acc parallel loop gang present(old[0:n * n], next[0:n * n])
    for (int y = 0; y < n; y++) {
        const unsigned char *up = old + (y == 0 ? n - 1 : y - 1) * n, *mid = old + y * n, *down = old + (y == n - 1 ? 0 : y + 1) * n;
#pragma acc loop vector
        for (int x = 0; x < n; x++) {
            int l = x == 0 ? n - 1 : x - 1, r = x == n - 1 ? 0 : x + 1;
            int alive = up[l] + up[x] + up[r] + mid[l] + mid[r] + down[l] + down[x] + down[r];
            if (alive == 3)
                next[y * n + x] = 1;
            else if (alive == 2)
                next[y * n + x] = mid[x];
            else
                next[y * n + x] = 0;
        }
    }
}
#elif SPELLING == 4
static void generation(unsigned n, const unsigned char *restrict from, unsigned char *restrict to)
{
#pragma acc kernels loop independent present(from[0:n * n], to[0:n * n])
    for (unsigned p = 0; p < n * n; p++) {
        unsigned row = p / n, col = p % n, count = 0;
        for (unsigned a = n - 1; a <= n + 1; a++)
            for (unsigned b = n - 1; b <= n + 1; b++)
                count += from[(row + a) % n * n + (col + b) % n];
        count -= from[p];
        switch (count) {
        case 2:
            to[p] = from[p];
            break;
        case 3:
            to[p] = 1;
            break;
        default:
            to[p] = 0;
        }
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
