// Loops of few iterations around long ones: sums down columns, rows, several loops inside, sums in `parallel`, pointers that lead to the
// same memory, arrays of the iteration, collapsed loops, one iteration and none, more than there is a gang for each, short rows.
// launches: 27
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 200 };

static void means(int n, int m, const float *restrict a, float *restrict mean)
{
#pragma acc kernels copyin(a[0:n * m]) copyout(mean[0:m])
    for (int j = 0; j < m; j++) {
        float s = 0;
        for (int i = 0; i < n; i++)
            s += a[i * m + j];
        mean[j] = s / n;
    }
}

static void unit(size_t n, size_t m, double (*a)[m], double *norm)
{
#pragma acc parallel loop copy(a[0:n]) copyout(norm[0:m])
    for (size_t j = 0; j < m; j++) {
        double s = 0, most = 0;
        for (size_t i = 0; i < n; i++)
            s += a[i][j] * a[i][j];
        for (size_t i = 0; i < n; i++)
            if (fabs(a[i][j]) > most)
                most = fabs(a[i][j]);
        norm[j] = s + most;
        for (size_t i = 0; i < n; i++)
            a[i][j] /= s + 1;
    }
}

static void rows(int n, int m, int length, double *a, double *b)
{
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < length; j++)
            a[i * m + j] += 2 * b[i * m + j];
}

static int counts(int n, int m, const int *restrict keys, int *restrict found)
{
    int all = 0;
#pragma acc parallel loop copyin(keys[0:n * m]) copyout(found[0:n])
    for (int i = 0; i < n; i++) {
        int count = 0, last = -1;
        for (int j = 0; j < m; j++)
            count += keys[i * m + j] % 3 == i % 3;
        for (int j = 0; j < m; j++)
            last = keys[i * m + j] > last ? keys[i * m + j] : last;
        found[i] = count * 1000 + last;
    }
    for (int i = 0; i < n; i++)
        all = (all * 31 + found[i]) & 0xffffff;
    return all;
}

static void shifted(int n, double (*restrict a)[M], const double (*restrict b)[M])
{
#pragma acc parallel loop copy(a[0:n]) copyin(b[0:n])
    for (int i = 0; i < n; i++) {
        double row[M];
        for (int j = 0; j < M; j++)
            row[j] = a[i][j] + b[i][M - 1 - j];
        for (int j = 0; j < M; j++)
            a[i][j] = row[(j + 7) % M];
    }
}

static void products(int n, int m, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) copyin(a[0:n * m], b[0:n * m]) copyout(c[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i * m + k] * b[j * m + k];
            c[i * n + j] = s;
        }
}

static double sum(int n, const double *a)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * (i % 11 + 1);
    return s;
}

int main(void)
{
    static const int sizes[][2] = { { 300, 20 }, { 127, 5 }, { 128, 1 }, { 140, 1030 } };
    for (int k = 0; k < 4; k++) {
        int n = sizes[k][0], m = sizes[k][1], all = n * m;
        float *a = malloc(all * sizeof *a), *mean = malloc(m * sizeof *mean);
        double *b = malloc(all * sizeof *b), *c = malloc((all + 1) * sizeof *c), *norm = malloc(m * sizeof *norm);
        int *keys = malloc(all * sizeof *keys), *found = malloc(m * sizeof *found);
        for (int i = 0; i < all; i++)
            a[i] = i % 17, b[i] = i % 13 - 6, c[i] = i % 5, keys[i] = (i * 7919) % 1009;
        c[all] = 1;
        means(n, m, a, mean);
        unit(n, m, (void *)b, norm);
        double total = sum(m, norm) + sum(all, b);
        for (int j = 0; j < m; j++)
            total += mean[j] * (j % 3 + 1);
#pragma acc data copy(b[0:all], c[0:all + 1])
        {
            rows(m, n, n, b, c);
            rows(m, n, n - 1, c + 1, c);
            rows(m, n, n, b, b);
        }
        printf("%d %d: %.6e %.6e %.6e %d\n", n, m, total, sum(all, b), sum(all, c), counts(m, n, keys, found));
    }
    static double x[3][M], y[3][M], square[9];
    for (int i = 0; i < 3 * M; i++)
        x[i / M][i % M] = i % 19, y[i / M][i % M] = i % 23;
    shifted(3, x, (const double(*)[M])y);
    products(3, M, x[0], y[0], square);
#pragma acc data copy(x, y)
    rows(0, 0, 0, x[0], y[0]);
    printf("%.6e %.6e\n", sum(3 * M, x[0]), sum(9, square));
}
