// Nests whose loops are not in the order of the arrays: what is along the innermost dimension of an array becomes columns and rows of the grid.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { A = 5, B = 40, C = 3, D = 7, E = 36 };
static double from[A][B][C][D][E], to[E][C][A][D][B], wanted[E][C][A][D][B], square[B][E], other[B][E], turned[E][B];
static int failed;

static void check(const char *what, const void *got, const void *right, size_t bytes)
{
    if (memcmp(got, right, bytes)) printf("%s is wrong\n", what), failed = 1;
}

static void collapsed(int n, const double *in, double *out)
{
#pragma acc parallel loop collapse(5) copyin(in[0:n * B * C * D * E]) copyout(out[0:n * B * C * D * E])
    for (int a = 0; a < n; a++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                for (int d = 0; d < D; d++)
                    for (int e = 0; e < E; e++) out[(((e * C + c) * n + a) * D + d) * B + b] = 2 * in[(((a * B + b) * C + c) * D + d) * E + e];
}

static void nested(size_t n)
{
#pragma acc parallel loop gang collapse(3) copyin(from) copyout(to)
    for (size_t b = 0; b < B; ++b)
        for (size_t e = 0; e < E; ++e)
            for (size_t a = 0; a < n; ++a)
#pragma acc loop vector collapse(2)
                for (size_t c = 0; c < C; ++c)
                    for (size_t d = 0; d < D; ++d) to[e][c][a][d][b] = 2 * from[a][b][c][d][e];
}

static void in_kernels(long n)
{
#pragma acc kernels copyin(from) copyout(to)
    for (long e = E - 1; e >= 0; e--)
        for (long d = 0; d < D; d++)
            for (long c = 0; c < C; c++)
                for (long b = 0; b < B; b++)
                    for (long a = 0; a < n; a++) to[e][c][a][d][b] = 2 * from[a][b][c][d][e];
}

static void against_rows(int rows, int columns)
{
#pragma acc parallel loop collapse(2) copyin(square) copy(other)
    for (int j = 1; j < columns; j++)
        for (int i = 0; i < rows; i++) other[i][j] += 3 * square[i][j] - square[i][j - 1];
}

static void sums(int rows, int columns)
{
#pragma acc parallel loop gang copyin(square) copyout(turned)
    for (int j = 0; j < columns; j++)
#pragma acc loop vector
        for (int i = 0; i < rows; i++) {
            double s = 0;
            for (int k = 0; k <= j; k++) s += k * square[i][j];
            turned[j][i] = s;
        }
}

int main(void)
{
    double *flat = &from[0][0][0][0][0];
    for (int k = 0; k < A * B * C * D * E; k++) flat[k] = k % 1001;
    for (int i = 0; i < B; i++)
        for (int j = 0; j < E; j++) square[i][j] = i * 100 + j, other[i][j] = j;
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                for (int d = 0; d < D; d++)
                    for (int e = 0; e < E; e++) wanted[e][c][a][d][b] = 2 * from[a][b][c][d][e];
    collapsed(A, flat, (double *)to);
    check("collapsed", to, wanted, sizeof to);
    memset(to, 0, sizeof to);
    nested(A);
    check("nested", to, wanted, sizeof to);
    memset(to, 0, sizeof to);
    in_kernels(A);
    check("in kernels", to, wanted, sizeof to);
    static double right[B][E], right_sums[E][B];
    for (int i = 0; i < B; i++)
        for (int j = 0; j < E; j++) {
            right[i][j] = j + (j ? 3 * square[i][j] - square[i][j - 1] : 0);
            for (int k = 0; k <= j; k++) right_sums[j][i] += k * square[i][j];
        }
    against_rows(B, E);
    check("against rows", other, right, sizeof other);
    sums(B, E);
    check("sums", turned, right_sums, sizeof turned);
    return failed;
}
