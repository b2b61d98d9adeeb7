// Sums along rows, along columns and of products in kernels constructs, in several spellings: which loop has the lanes must not matter.
#include <stddef.h>
#include <stdio.h>

enum { N = 70, M = 45 };

static double a[N * M], b[M * N], x[M], columns[3][M], rows[2][N], product[2][N * N], mixed[M];

static void ints(int n, int m)
{
#pragma acc kernels copyin(a, b, x) copy(columns, rows, product)
    {
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int i = 0; i < n; i++)
                s += a[i * m + j];
            columns[0][j] = s / n;
        }
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = 0; j < m; j++)
                s += a[i * m + j] * x[j];
            rows[0][i] = s;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < m; k++)
                    s += a[i * m + k] * b[k * n + j];
                product[0][i * n + j] = s;
            }
    }
}

static void arrays(size_t n, size_t m, double *pa, double *pb)
{
    double(*ra)[m] = (double(*)[m])pa, (*rb)[n] = (double(*)[n])pb;
#pragma acc kernels loop independent copyin(ra[0:n][0:m]) copy(columns)
    for (size_t j = 0; j < m; j++) {
        double s = 0;
        for (size_t i = 0; i < n; i++)
            s += ra[i][j];
        columns[1][j] = s / (double)n;
    }
#pragma acc kernels loop independent copyin(ra[0:n][0:m], x) copy(rows)
    for (size_t i = 0; i < n; i++) {
        rows[1][i] = 0;
        for (size_t j = 0; j < m; j++)
            rows[1][i] += ra[i][j] * x[j];
    }
#pragma acc kernels loop independent copyin(ra[0:n][0:m], rb[0:m][0:n]) copy(product)
    for (size_t i = 0; i < n; i++)
#pragma acc loop independent
        for (size_t j = 0; j < n; j++) {
            double s = 0;
            for (size_t k = 0; k < m; k++)
                s += ra[i][k] * rb[k][j];
            product[1][i * n + j] = s;
        }
}

static double column(unsigned n, unsigned m, unsigned j, const double *p)
{
    double s = 0;
    p += j;
    while (n-- > 0) {
        s += *p;
        p += m;
    }
    return s;
}

static void functions(unsigned n, unsigned m)
{
#pragma acc kernels loop independent copyin(a) copy(columns)
    for (unsigned j = 0; j < m; j++)
        columns[2][j] = column(n, m, j, a) / n;
    // The largest, and how many there are, along columns.
#pragma acc kernels copyin(a) copy(mixed)
    for (unsigned j = 0; j < m; j++) {
        double most = -1e30;
        int count = 0;
        for (unsigned i = 0; i < n; i++) {
            most = a[i * m + j] > most ? a[i * m + j] : most;
            count += a[i * m + j] > 3;
        }
        mixed[j] = most + count;
    }
}

int main(void)
{
    for (int i = 0; i < N * M; i++)
        a[i] = i * 37 % 101 / 8.0, b[i] = i * 53 % 89 / 4.0;
    for (int j = 0; j < M; j++)
        x[j] = j % 7 / 2.0;
    ints(N, M);
    arrays(N, M, a, b);
    functions(N, M);
    double sums[6] = {0};
    for (int j = 0; j < M; j++) {
        for (int v = 0; v < 3; v++)
            sums[v] += columns[v][j] * (1 + j % 5);
        sums[5] += mixed[j] * (1 + j % 5);
    }
    for (int i = 0; i < N; i++)
        sums[3] += rows[0][i] * (i % 3) + rows[1][i];
    for (int i = 0; i < N * N; i++)
        sums[4] += product[0][i] * (1 + i % 11) - product[1][i];
    for (int v = 0; v < 6; v++)
        printf("%.6f\n", sums[v]);
    return 0;
}
