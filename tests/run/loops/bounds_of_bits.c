// Bounds with remainders, bits, shifts and choices that the launch computes: colours of a relaxation, halves, diagonals of a table.
// launches: 77
#include <stdio.h>

enum { N = 37 };

static int least(int a, int b) { return a < b ? a : b; }

int main(void)
{
    static unsigned u[N + 2], t[N][N];
    size_t n = N;
    for (unsigned i = 0; i < N + 2; i++)
        u[i] = i * i;
#pragma acc data copy(u)
    for (unsigned sweep = 0; sweep < 2; sweep++) {
        int left = (int)sweep;
#pragma acc parallel loop
        for (int i = 1 + left % 2; i <= N; i += 2)
            u[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
#pragma acc parallel loop
        for (size_t i = 1 + (sweep & 1); i < n + 1; i += 2)
            u[i] += u[i - 1] ^ u[i + 1];
#pragma acc parallel loop
        for (unsigned i = 1 | sweep << 1; i < (N | 1u); i += 2)
            u[i] += u[i - 1] & u[i + 1];
    }
#pragma acc data copy(t)
    {
#pragma acc parallel loop
        for (long i = 0; i < (long)(n >> 1); i++)
            t[i][0] = t[0][i] = 2 * i + 1;
#pragma acc parallel loop
        for (int i = N >> 1; i < (int)n; ++i)
            t[i][0] = t[0][i] = i;
        int rows = N, columns = (int)n - 5;
        for (int d = 2; d < rows + columns - 1; d++) {
#pragma acc parallel loop
            for (int i = d < columns ? 1 : d - columns + 1; i < least(d, rows); i++)
                t[i][d - i] = t[i - 1][d - i] + 3 * t[i][d - i - 1] + t[i - 1][d - i - 1];
        }
        int wide = -1;
#pragma acc parallel loop
        for (int i = wide == -1 ? 0 : 5; i < (wide != -1 ? 3 : rows); i++)
            t[i][N - 1] = i;
        unsigned bits = 0xfffffff0u;
#pragma acc parallel loop
        for (unsigned i = bits; i < (bits | 7); i++)
            t[i - bits][N - 2] = i >> 28;
#pragma acc parallel loop
        for (int i = wide >> 1; i < -wide % 3 + (int)(n ^ 32); i++)
            t[i + 1][N - 3] = i;
    }
    unsigned long sum = 0;
    for (int i = 0; i < N + 2; i++)
        sum = 31 * sum + u[i];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum = 31 * sum + t[i][j];
    printf("%lu\n", sum);
    return 0;
}
