// Conditions that compare the variable and a constant, as one writes them where `n - 1` could go round: with and without directives, both
// sides, up and down, types of 32 and 64 bits, with the variable's last value, and with sums that do go round.
// launches: 8
#include <stdio.h>
#include <stddef.h>

enum { N = 40, M = 24 };

static void smooth(size_t n, size_t m, double *restrict a, const double *restrict b)
{
#pragma acc parallel loop collapse(2) copy(a[0 : n * m]) copyin(b[0 : n * m])
    for (size_t i = 1; i + 1 < n; ++i)
        for (size_t j = 1; m > 1 + j; ++j)
            a[i * m + j] = b[i * m + j - 1] + b[i * m + j + 1] + b[(i - 1) * m + j] + b[(i + 1) * m + j];
}

static void in_kernels(unsigned n, int m, double *restrict a, const double *restrict b)
{
#pragma acc kernels copy(a[0 : n * m]) copyin(b[0 : n * m])
    for (unsigned i = 0; i + 2 < n; i += 3)
        for (int j = m - 1; j - 2 >= 0; j--)
            a[i * m + j] += 2 * b[(i + 2) * m + j - 2] + 1;
}

static void columns(const double *b, const int *first, double *sums, long *last)
{
#pragma acc parallel loop copyin(b[0 : N * M], first[0:N]) copyout(sums[0 : 4 * N], last[0 : 4 * N])
    for (int i = 0; i < N; i++) {
        double s = 0;
        unsigned j;
        for (j = 0; j + 1 < M; ++j)
            s += b[i * M + j] * b[i * M + j + 1];
        sums[4 * i] = s;
        last[4 * i] = j;
        s = 0;
        long k = first[i];
        for (; 3 + k <= M; k += 1)
            s -= b[i * M + k];
        sums[4 * i + 1] = s;
        last[4 * i + 1] = k;
        s = 0;
        size_t d;
        for (d = M; d - 1 > 3; d--)
            s = 0.5 * s + b[i * M + d - 1];
        sums[4 * i + 2] = s;
        last[4 * i + 2] = (long)d;
        // The sum goes round at the start: 2, 3, … up to 5.
        s = 0;
        unsigned high = 4294967293u + (unsigned)(first[i] % 2), round = 0;
        while (high + 5 < 6) {
            s += high % 7;
            round += 1;
            high++;
        }
        sums[4 * i + 3] = s;
        last[4 * i + 3] = round * 100 + high % 100;
    }
}

static void none(unsigned n, int *hits)
{
#pragma acc parallel loop copy(hits[0:4])
    for (unsigned i = 0; i + 1 < n; i++)
        hits[i] += 1;
#pragma acc kernels loop independent copy(hits[0:4])
    for (unsigned i = 2; i - 1 < n; i++)
        hits[i - 2] += 10;
}

int main(void)
{
    static double a[N * M], b[N * M], sums[4 * N];
    static int first[N], hits[4];
    static long last[4 * N];
    for (int i = 0; i < N * M; i++)
        a[i] = i % 5, b[i] = i % 13 - 3;
    for (int i = 0; i < N; i++)
        first[i] = i % 30;
    smooth(N, M, a, b);
    smooth(1, M, a, b);
    in_kernels(N, M, a, b);
    columns(b, first, sums, last);
    none(0, hits);
    none(1, hits);
    none(5, hits);
    double all = 0;
    for (int i = 0; i < N * M; i++)
        all += a[i] * (i % 17);
    printf("%.10g\n", all);
    for (int i = 0; i < 4 * N; i++)
        printf("%.10g %ld\n", sums[i], last[i]);
    printf("%d %d %d %d\n", hits[0], hits[1], hits[2], hits[3]);
    return 0;
}
