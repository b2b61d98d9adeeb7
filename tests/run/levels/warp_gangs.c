// Many gangs with short loops over lanes get gangs of one warp, few gangs do not: systems of equations, in several spellings, and sums over
// lanes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 2060, FEW = 40, N = 6 };

#define A(s, i, j) a[((s) * N + (i)) * N + (j)]

static double entry(int s, int i, int j)
{
    return i == j ? 8 + s % 3 : (s + i * j) % 5 * 0.25;
}

// Lower factors in place, in an array of the gang.
static void in_gangs(int n, const double *a, double *l)
{
#pragma acc parallel loop gang vector_length(128) copyin(a[0:n * N * N]) copyout(l[0:n * N * N])
    for (int s = 0; s < n; s++) {
        double m[N * N];
#pragma acc loop vector
        for (int e = 0; e < N * N; e++)
            m[e] = a[s * N * N + e];
#pragma acc loop seq
        for (int k = 0; k < N; k++) {
            double pivot = sqrt(m[k * N + k]);
#pragma acc loop vector
            for (int i = k; i < N; i++)
                m[i * N + k] = i == k ? pivot : m[i * N + k] / pivot;
#pragma acc loop vector collapse(2)
            for (int i = k + 1; i < N; i++)
                for (int j = k + 1; j < N; j++)
                    if (j <= i)
                        m[i * N + j] -= m[i * N + k] * m[j * N + k];
        }
#pragma acc loop vector
        for (int e = 0; e < N * N; e++)
            l[s * N * N + e] = e % N > e / N ? 0 : m[e];
    }
}

typedef double matrix[N][N];

// The same in memory, with other indices, from the last column on backwards where the order allows it.
static void in_memory(size_t n, matrix *restrict a, matrix *restrict l)
{
#pragma acc parallel loop gang copyin(a[0:n]) copyout(l[0:n])
    for (size_t s = 0; s < n; ++s) {
        double(*m)[N] = l[s];
#pragma acc loop vector collapse(2)
        for (unsigned i = 0; i < N; ++i)
            for (unsigned j = 0; j < N; ++j)
                m[i][j] = j > i ? 0 : a[s][i][j];
        for (unsigned k = 0; k < N; ++k) {
            double pivot = sqrt(m[k][k]);
#pragma acc loop vector
            for (int i = N - 1; i >= (int)k; i--)
                m[i][k] = i == (int)k ? pivot : m[i][k] / pivot;
            for (unsigned c = N - 1; c > k; --c) {
#pragma acc loop vector
                for (unsigned i = c; i < N; ++i)
                    m[i][c] -= m[i][k] * m[c][k];
            }
        }
    }
}

// Sums over 48 lanes of few numbers each, and the largest place.
static void sums(int n, int length, const int *x, long *sum, int *largest)
{
#pragma acc parallel loop gang vector_length(64) copyin(x[0:n * 48]) copyout(sum[0:n], largest[0:n])
    for (int s = 0; s < n; s++) {
        long all = 0;
        int most = -1, at = 48;
#pragma acc loop vector reduction(+ : all) reduction(max : most)
        for (int j = 0; j < 48; j++) {
            all += (long)x[s * 48 + j] * length;
            most = x[s * 48 + j] > most ? x[s * 48 + j] : most;
        }
#pragma acc loop vector reduction(min : at)
        for (int j = 0; j < 48; j++)
            if (x[s * 48 + j] == most && j < at)
                at = j;
        sum[s] = all;
        largest[s] = at;
    }
}

static int factors_are_wrong(int n, const double *a, const double *l)
{
    for (int s = 0; s < n; s++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++) {
                double product = 0;
                for (int k = 0; k <= j; k++)
                    product += l[(s * N + i) * N + k] * l[(s * N + j) * N + k];
                if (fabs(product - A(s, i, j)) > 1e-9)
                    return 1;
            }
    return 0;
}

int main(void)
{
    double *a = malloc(sizeof(double) * MANY * N * N), *l = malloc(sizeof(double) * MANY * N * N);
    int *x = malloc(sizeof(int) * MANY * 48), *largest = malloc(sizeof(int) * MANY);
    long *sum = malloc(sizeof(long) * MANY);
    for (int s = 0; s < MANY; s++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++)
                A(s, i, j) = A(s, j, i) = entry(s, i, j);
    for (int k = 0; k < MANY * 48; k++)
        x[k] = k * 7919 % 1009;
    for (int n = FEW; n <= MANY; n += MANY - FEW) {
        int wrong = 0;
        in_gangs(n, a, l);
        printf("%d ", factors_are_wrong(n, a, l));
        in_memory(n, (matrix *)a, (matrix *)l);
        printf("%d ", factors_are_wrong(n, a, l));
        sums(n, 3, x, sum, largest);
        for (int s = 0; s < n; s++) {
            long all = 0;
            int at = 0;
            for (int j = 0; j < 48; j++) {
                all += 3L * x[s * 48 + j];
                at = x[s * 48 + j] > x[s * 48 + at] ? j : at;
            }
            wrong += all != sum[s] || at != largest[s];
        }
        printf("%d\n", wrong);
    }
    return 0;
}
