// Sums of products of pairs of columns, in one of three spellings.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64, COLUMNS = 32 };

#if SPELLING == 1
static void products(int m, int n, const double *restrict d, double *restrict c)
{
#pragma acc parallel loop gang num_gangs(4) vector_length(32) copyin(d[0:m * n]) copy(c[0:n * n])
    for (int p = 0; p < n; p++)
#pragma acc loop vector
        for (int q = 0; q < n; q++) {
            double s = 0;
            for (int i = 0; i < m; i++)
                s += d[i * n + p] * d[i * n + q];
            c[p * n + q] = s;
        }
}
#elif SPELLING == 2
static void products(size_t m, size_t n, const double *restrict pd, double *restrict pc)
{
    const double(*d)[n] = (const double(*)[n])pd;
    double(*c)[n] = (double(*)[n])pc;
#pragma acc parallel loop gang num_gangs(4) vector_length(32) copyin(d[0:m][0:n]) copy(c[0:n][0:n])
    for (size_t p = 0; p < n; p++)
#pragma acc loop vector
        for (size_t q = 0; q < n; q++) {
            double s = 0;
            for (size_t i = 0; i < m; i++)
                s += d[i][p] * d[i][q];
            c[p][q] = s;
        }
}
#else
static void products(unsigned m, unsigned n, const double *restrict d, double *restrict c)
{
#pragma acc parallel loop gang num_gangs(4) vector_length(32) copyin(d[0:m * n]) copy(c[0:n * n])
    for (unsigned p = 0; p < n; p++)
#pragma acc loop vector
        for (unsigned q = 0; q < n; q++) {
            double s = 0;
            const double *row = d;
            for (unsigned left = m; left > 0; left--, row += n)
                s += row[p] * row[q];
            c[p * n + q] = s;
        }
}
#endif

int main(void)
{
    double *d = malloc(ROWS * COLUMNS * sizeof *d), *c = malloc(COLUMNS * COLUMNS * sizeof *c), sum = 0;
    for (int k = 0; k < ROWS * COLUMNS; k++)
        d[k] = k % 7;
    products(ROWS, COLUMNS, d, c);
    for (int k = 0; k < COLUMNS * COLUMNS; k++)
        sum += c[k];
    printf("%g\n", sum);
    free(d);
    free(c);
    return 0;
}
