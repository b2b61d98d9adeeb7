// Loops of few iterations, each of them a long loop of its own: launches have as many lanes as keep all multiprocessors busy, and every
// iteration is done once, by loops alone, with sums, with counts in a small array, and with a limit of threads.
// launches: 36
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 8 };
static int *out, bins[BINS];

static unsigned step(unsigned x) { return x * 1664525u + 1013904223u; }

static void alone(int n, int m)
{
#pragma acc parallel loop present(out[0:n])
    for (int i = 0; i < n; i++) {
        unsigned x = i;
        for (int k = 0; k < m; k++)
            x = step(x) ^ k;
        out[i] += x >> 8;
    }
}

static long sums(size_t n, size_t m)
{
    long sum = 0;
#pragma acc parallel loop gang vector reduction(+ : sum) present(out[0:n])
    for (size_t i = 0; i < n; ++i) {
        unsigned x = out[i];
        size_t k = m;
        while (k-- > 0)
            x = step(x);
        sum += x >> 16;
    }
    return sum;
}

static void counts(unsigned n, unsigned m)
{
#pragma acc kernels loop independent present(out[0:n], bins[0:BINS])
    for (unsigned i = 0; i < n; i++) {
        unsigned x = i;
        for (unsigned k = 0; k < m; k++) {
            x = step(x);
#pragma acc atomic update
            bins[x >> 29]++;
        }
    }
}

static void nest(int n, int m)
{
#pragma acc parallel loop collapse(2) present(out[0:n])
    for (int i = 0; i < (n + 2) / 3; i++)
        for (int j = 0; j < 3; j++) {
            unsigned x = 0;
            for (int k = 0; k < m; k++)
                x += step(k + j);
            if (3 * i + j < n)
                out[3 * i + j] ^= x >> 12;
        }
}

int main(void)
{
    const int sizes[] = {1, 31, 33, 100, 257, 1000, 4099, 9000, 20000};
    int most = 20000;
    out = malloc(most * sizeof *out);
    for (int s = 0; s < 9; s++) {
        int n = sizes[s], m = 40 + s;
        for (int i = 0; i < most; i++)
            out[i] = i;
        for (int k = 0; k < BINS; k++)
            bins[k] = 0;
        long sum;
#pragma acc data copy(out[0:n], bins)
        {
            alone(n, m);
            sum = sums(n, m);
            counts(n, m);
            nest(n, m);
        }
        unsigned check = 0;
        for (int i = 0; i < most; i++)
            check = check * 31 + out[i];
        for (int k = 0; k < BINS; k++)
            check = check * 31 + bins[k];
        printf("%d %u %ld\n", n, check, sum);
    }
    return 0;
}
