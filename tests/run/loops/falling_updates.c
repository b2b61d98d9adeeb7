// Sequential loops that count down, or by other steps, and update the element of the nest around them, in memory.
#include <stdio.h>

enum { N = 64, M = 64 };

static int a[N * M];
static double c[N][M], x[N][9], y[9][M];

static void down(int steps)
{
#pragma acc parallel loop collapse(2) copy(a)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int q = steps; q >= 0; q--)
                a[i * M + j] += q + 1;
#pragma acc kernels loop independent copy(a)
    for (unsigned i = 0; i < N; ++i) {
#pragma acc loop independent
        for (size_t j = 0; j < M; ++j) {
            int *at = &a[i * M + j];
            for (unsigned q = 9; q > 2; q -= 3)
                *at -= (int)q;
            for (long q = steps - 4; q > 0; q--)
                *at = 77;
        }
    }
}

static void product(void)
{
#pragma acc parallel loop collapse(2) copyin(x, y) copy(c)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 8; k >= 0; k -= 2)
                for (short l = 1; l > -1; --l)
                    c[i][j] += (l + 1) * x[i][k] * y[k][j];
}

int main(void)
{
    int b[N * M], wrong = 0;
    for (int k = 0; k < N * M; k++)
        a[k] = b[k] = k;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 9; k++)
            x[i][k] = i - 3 * k;
    for (int k = 0; k < 9; k++)
        for (int j = 0; j < M; j++)
            y[k][j] = k * j % 7;
    down(1);
    down(3);
    for (int k = 0; k < N * M; k++)
        wrong += a[k] != b[k] + 3 + 10 - 2 * (9 + 6 + 3);
    printf("%d\n", wrong);
    wrong = 0;
    product();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double sum = 0;
            for (int k = 0; k < 9; k += 2)
                sum += 3 * x[i][k] * y[k][j];
            wrong += sum != c[i][j];
        }
    printf("%d\n", wrong);
    return 0;
}
