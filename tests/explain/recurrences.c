// Loops that load what the iteration before has stored, in three spellings; one that a store is in the way of, and one that wraps.
#include <stddef.h>
enum { N = 100, M = 50 };
static double x[N * M], y[N * M];
int main(void)
{
    int n = N;
    unsigned u = N;
    double(*rows)[M] = (double(*)[M])x;
#pragma acc data copy(x, y)
    {
#pragma acc parallel loop
        for (int s = 0; s < n; s++)
            for (int k = 1; k < M; k++) {
                y[k * n + s] = 2 * y[(k - 1) * n + s];
                x[k * n + s] += x[k * n + s - n];
            }
#pragma acc parallel loop present(rows[0:N][0:M])
        for (size_t i = 0; i < N; i++)
            for (size_t j = M - 1; j-- > 0;)
                rows[i][j] -= 0.5 * rows[i][j + 1];
#pragma acc parallel loop gang num_gangs(1) vector_length(1)
        for (int t = 0; t < 1; t++) {
            double *to = x, *from = x;
            for (unsigned k = 1; k < u; k++) {
                to++;
                *to += *from++;
            }
        }
#pragma acc parallel loop gang num_gangs(1) vector_length(1)
        for (int t = 0; t < 1; t++)
            for (int k = 1; k < n; k++) {
                x[k] += x[k - 1];
                y[2 * k] = k;
            }
#pragma acc parallel loop
        for (unsigned s = 0; s < u; s++)
            for (unsigned k = 1; k < M; k++)
                x[k * u + s] += x[k * u + s - u];
    }
    return 0;
}
