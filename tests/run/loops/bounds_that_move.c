// Loops both of whose bounds move with the loop around: rows of a flat array, with the edges left out, in several spellings and types,
// and so small that there is nothing left.
#include <stdio.h>
#include <stdlib.h>

#define N 37

static void sizes(size_t n, const double *a, double *b)
{
#pragma acc parallel loop gang copyin(a[0:n * n]) copy(b[0:n * n])
    for (size_t i = 1; i < n - 1; ++i)
#pragma acc loop vector
        for (size_t at = i * n + 1; at < i * n + n - 2; ++at)
            b[at] += a[at - n] + a[at + n];
}

static void ints(int n, const double *a, double *b)
{
#pragma acc parallel loop gang copyin(a[0:n * n]) copy(b[0:n * n])
    for (int i = 1; i < n - 1; ++i)
#pragma acc loop vector
        for (int at = i * n + 1; at < (i + 1) * n - 2; ++at)
            b[at] += a[at - n] + 2 * a[at + n];
}

static void variables(int n, const double *a, double *b)
{
#pragma acc parallel loop gang copyin(a[0:n * n]) copy(b[0:n * n])
    for (int i = 0; i < n; ++i) {
        const int row = i * n, end = row + n;
#pragma acc loop vector
        for (int at = row; at < end; ++at)
            b[at] -= a[at];
    }
}

static void unsigneds(unsigned n, const double *a, double *b)
{
#pragma acc parallel loop gang copyin(a[0:n * n]) copy(b[0:n * n])
    for (unsigned i = 0; i < n; ++i)
#pragma acc loop vector
        for (unsigned at = i * n; at < i * n + n; ++at)
            b[at] += 3 * a[at];
}

/* A band: as long for all rows, but for the array's ends. */
static void band(long n, const double *a, double *b)
{
#pragma acc parallel loop gang copyin(a[0:n * n]) copy(b[0:n * n])
    for (long i = 3; i < n - 3; ++i)
#pragma acc loop vector
        for (long j = i - 3; j < i + 4; ++j)
            b[i * n + j] += a[j * n + i];
}

/* Downwards, with steps, and to a bound that is in. */
static void others(int n, const double *a, double *b)
{
#pragma acc parallel loop gang copyin(a[0:n * n]) copy(b[0:n * n])
    for (int i = 0; i < n; ++i)
#pragma acc loop vector
        for (int at = i * n + n - 1; at >= i * n; --at)
            b[at] += a[at];
#pragma acc parallel loop gang copyin(a[0:n * n]) copy(b[0:n * n])
    for (int i = 0; i < n; ++i)
#pragma acc loop vector
        for (int at = i * n; at < i * n + n; at += 2)
            b[at] += a[at];
#pragma acc parallel loop gang copyin(a[0:n * n]) copy(b[0:n * n])
    for (int i = 0; i < n; ++i)
#pragma acc loop vector
        for (int at = i * n; at <= i * n + n - 1; ++at)
            b[at] += a[at];
}

int main(void)
{
    static double a[N * N], b[N * N];
    for (int k = 0; k < N * N; k++)
        a[k] = k * 13 % 31, b[k] = k % 5;
    for (int n = 1; n <= N; n += n < 9 ? 1 : 7) {
        sizes(n, a, b);
        ints(n, a, b);
        variables(n, a, b);
        unsigneds(n, a, b);
        band(n, a, b);
        others(n, a, b);
        double sum = 0;
        for (int k = 0; k < N * N; k++)
            sum += b[k] * (k % 11 + 1);
        printf("%d: %g\n", n, sum);
    }
    return 0;
}
