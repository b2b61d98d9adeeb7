// Iterations of different lengths on cores: a triangle, a loop under a condition, one that the data end, one in a function;
// one whose iterations are alike, and one whose directive says how many gangs.
// launches: 6
#include <stdlib.h>

enum { N = 200 };

#pragma acc routine seq
static int steps(int n)
{
    for (int k = 0; k < 100; k++) {
        if (n == 1)
            return k;
        n = n % 2 ? 3 * n + 1 : n / 2;
    }
    return 100;
}

int main(void)
{
    static int a[N][N], b[N], c[N], d[N], e[N], f[N];
    int wrong = 0;
#pragma acc data copyout(a, b, c, d, e, f)
    {
#pragma acc parallel loop gang
        for (int i = 0; i < N; i++)
#pragma acc loop vector
            for (int j = i; j < N; j++)
                a[i][j] = i + j;
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            b[i] = 0;
            if (i % 3 == 0)
                for (int k = 0; k < N; k++)
                    b[i] += k;
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            c[i] = i;
            while (c[i] > 0 && c[i] % 7 != 0)
                c[i]--;
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            d[i] = steps(i + 1);
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            e[i] = 0;
            for (int k = 0; k < N; k++)
                e[i] += i * k;
        }
#pragma acc parallel loop num_gangs(3)
        for (int i = 0; i < N; i++)
            f[i] = steps(i + 1);
    }
    for (int i = 0; i < N; i++) {
        for (int j = i; j < N; j++)
            wrong += a[i][j] != i + j;
        wrong += b[i] != (i % 3 == 0) * (N * (N - 1) / 2) || c[i] != i / 7 * 7 || d[i] != steps(i + 1);
        wrong += e[i] != i * (N * (N - 1) / 2) || f[i] != d[i];
    }
    return wrong != 0;
}
