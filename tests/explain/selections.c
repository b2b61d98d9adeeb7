// Loops that look for the best element by its index, in four spellings; one where the array is written, and one where an index is cut.
#include <stddef.h>
enum { N = 100, M = 50 };
static double x[N * M];
static int where[N];
int main(int argc, char **argv)
{
    int n = N - argc + 1;
    (void)argv;
    double(*rows)[M] = (double(*)[M])x;
#pragma acc data copy(x, where)
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            int best = 0;
            for (int j = 1; j < M; j++)
                if (x[j * n + i] > x[best * n + i])
                    best = j;
            where[i] = best;
        }
#pragma acc parallel loop present(rows[0:N][0:M])
        for (size_t i = 0; i < N; i++) {
            size_t best = 0;
            for (size_t j = 1; j < M; j++)
                best = rows[i][j] < rows[i][best] ? j : best;
            where[i] = (int)best;
        }
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            long best = 0;
            for (int j = M - 1; j > 0; j--)
                if (x[i * M + j] > x[i * M + best])
                    best = j;
            where[i] = (int)best;
        }
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            double *best = &x[i * M];
            for (double *p = best; p < &x[i * M + n / 2]; p++)
                if (*p > *best)
                    best = p;
            where[i] = (int)(best - x);
        }
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            int best = 0;
            for (int j = 1; j < n / 2; j++) {
                if (x[i * M + j] > x[i * M + best])
                    best = j;
                x[i * M] = 0;
            }
            where[i] = best;
        }
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            unsigned char best = 0;
            for (int j = 1; j < n / 2; j++)
                if (x[i * M + j] > x[i * M + best])
                    best = (unsigned char)j;
            where[i] = best;
        }
    }
    return 0;
}
