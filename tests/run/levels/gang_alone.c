// Loops without directive in loops over gangs alone: independent ones, with arrays of the iteration, sums, dependences, few iterations, under
// conditions, around and beside loops over lanes; bounds of the gang's own.
// launches: 7
#include <stdio.h>
#include <stdlib.h>

enum { N = 37, M = 70 };
static double a[N][M], b[M][M], total[N];
static float flat[N * M];
static int counts[N], start[N + 1];

static double sum(void)
{
    double all = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            all += a[i][j] * (j % 5 + 1) + flat[i * M + j] * (j % 3);
        all += total[i] * (i % 7) + counts[i];
    }
    return all;
}

static void contract(int n, double (*restrict x)[M], double (*restrict y)[M])
{
#pragma acc parallel loop gang copy(x[0:n]) copyin(y[0:M])
    for (int i = 0; i < n; i++) {
        double row[M];
        for (int j = 0; j < M; j++) {
            double s = 0;
            for (int k = 0; k < M; k++)
                s += x[i][k] * y[k][j];
            row[j] = s;
        }
        for (int j = 0; j < M; j++)
            x[i][j] = row[j] / M;
    }
}

static void mixed(int n, float *restrict f)
{
#pragma acc parallel loop gang num_gangs(8) copy(f[0:n * M]) copyout(total[0:n], counts[0:n])
    for (int i = 0; i < n; i++) {
        double s = 0, last = 0;
        int found = 0, even[M];
        for (int j = 0; j < M; j++)
            even[j] = (int)f[i * M + j] % 2 == 0;
        for (int j = 0; j < M; j++)
            s += f[i * M + j];
        for (int j = 1; j < M; j++)
            f[i * M + j] = 0.5f * f[i * M + j - 1] + 1;
        for (int j = 0; j < M; j++)
            if (even[j])
                last = f[i * M + j], found++;
        if (i % 3)
            for (int j = 0; j < M; j++)
                f[i * M + j] += even[j];
        total[i] = s + last;
        counts[i] = found;
    }
}

static void rows(int n, const int *restrict from, float *restrict f)
{
#pragma acc parallel copy(f[0:n * M]) copyin(from[0:n + 1])
    {
#pragma acc loop gang
        for (int i = 0; i < n; i++) {
            for (int k = from[i]; k < from[i + 1]; k++)
                f[k] = f[k] * 2 + i;
#pragma acc loop vector
            for (int k = from[i]; k < from[i + 1]; k++)
                f[k] -= 1;
            if (from[i + 1] - from[i] > 3)
                for (int c = 0; c < 3; c++)
                    f[from[i] + c] += c;
            for (int k = from[i + 1] - 1; k > from[i]; k--)
                f[k] = f[k] + 0.25f;
        }
    }
}

static void nested(int n, int m, double *restrict x)
{
#pragma acc parallel loop gang collapse(2) copy(x[0:n * m * 8])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int base = (i * m + j) * 8, to = i % 2 ? 8 : 5;
            for (int k = 0; k < to; k++)
                x[base + k] += k;
            while (to-- > 3)
                x[base] += to;
        }
#pragma acc parallel loop gang worker copy(x[0:n * m * 8])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 8; k++)
                x[(i * m + j) * 8 + k] *= 1.5;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        start[i + 1] = start[i] + (i * 7) % M;
        for (int j = 0; j < M; j++) {
            a[i][j] = (i * 5 + j) % 17;
            flat[i * M + j] = (i + j * 3) % 11;
        }
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            b[i][j] = (i + 2 * j) % 5;
    contract(N, a, b);
    printf("%.12g\n", sum());
    mixed(N, flat);
    printf("%.12g\n", sum());
    rows(N, start, flat);
    printf("%.12g\n", sum());
    nested(N, 8, &a[0][0]);
    printf("%.12g\n", sum());
#pragma acc parallel loop gang copy(a)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M / 2; j++)
            for (int k = 0; k < 2; k++)
                a[i][2 * j + k] = a[i][2 * j + k] * 0.5 + k;
    }
#pragma acc parallel loop gang copy(total)
    for (int i = 0; i < N; i++)
        total[i] += i;
    printf("%.12g\n", sum());
    return 0;
}
