// A sweep of an Ising model on a lattice of 4096 x 4096 spins (signed char), one colour of the board after the other, with a
// generator of random numbers that hashes place and sweep.
#include "../kernels.h"

enum { SIZE = 4096 };

#if SPELLING == 1
static void sweep(int n, int step, const float *restrict chances, const signed char *restrict other,
                  signed char *restrict spins, int colour)
{
    int half = n / 2;
#pragma acc parallel loop collapse(2) present(chances[0:10], other[0:n * half], spins[0:n * half])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < half; j++) {
            int above = i == 0 ? n - 1 : i - 1, below = i == n - 1 ? 0 : i + 1;
            int beside = (i + colour) % 2 ? (j + 1 == half ? 0 : j + 1) : (j == 0 ? half - 1 : j - 1);
            int sum = other[above * half + j] + other[i * half + j] + other[below * half + j] + other[i * half + beside];
            int spin = spins[i * half + j];
            float chance = chances[(sum + 4) / 2 + (spin > 0 ? 5 : 0)];
            float random = mix((i * half + j) * 2 + colour + step * 7919) % 16777216 / 16777216.0f;
            if (random < chance)
                spins[i * half + j] = -spin;
        }
}
#else
typedef signed char spin_t;
#define AT(row, column) ((size_t)(row) * (n / 2) + (column))

#pragma acc routine seq
static float random_at(size_t place, unsigned colour, unsigned step)
{
    unsigned bits = mix((unsigned)place * 2u + colour + step * 7919u);
    return (bits & 0xffffffu) / 16777216.0f;
}

static void sweep(unsigned n, unsigned step, float *chances, spin_t *other, spin_t *spins, unsigned colour)
{
#pragma acc kernels present(chances[0:10], other[0:n * n / 2], spins[0:n * n / 2])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (unsigned i = 0; i < n; ++i) {
#pragma acc loop independent
            for (unsigned j = 0; j < n / 2; ++j) {
                unsigned up = (i + n - 1) & (n - 1), down = (i + 1) & (n - 1), mask = n / 2 - 1;
                unsigned side = ((i ^ colour) & 1u) ? (j + 1) & mask : (j + mask) & mask;
                int neighbours = other[AT(up, j)] + other[AT(i, j)] + other[AT(down, j)] + other[AT(i, side)];
                spin_t *spin = &spins[AT(i, j)];
                if (random_at(AT(i, j), colour, step) < chances[(neighbours + 4) / 2 + (*spin == 1) * 5])
                    *spin *= -1;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIZE >> (args.shift + 1) / 2, half = n / 2, step = 0;
    signed char *black = NEW(signed char, n *half), *white = NEW(signed char, n *half);
    float chances[10];
    double sum = 0;
    for (int k = 0; k < n * half; k++)
        black[k] = white[k] = 1;
    for (int k = 0; k < 10; k++)
        chances[k] = (float)exp(-2.0 * (k < 5 ? -1 : 1) * (2 * (k % 5) - 4) * 0.42);
#pragma acc enter data copyin(black[0:n * half], white[0:n * half], chances[0:10])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        sweep(n, step, chances, white, black, 0);
        sweep(n, step++, chances, black, white, 1);
    }
#pragma acc update self(black[0:n * half], white[0:n * half])
    for (int k = 0; k < n * half; k++)
        sum += black[k] * (1 + k % 5) + white[k] * (1 + k % 3);
    report("ising", t.best, sum);
    return 0;
}
