// Variable-length arrays whose rows have a constant length, private and firstprivate: as many elements as there are.
#include <stdio.h>

static void rows(int n)
{
    int t[n][3], u[2][n][2], out[12];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            t[i][j] = 10 * i + j;
    for (int i = 0; i < 2 * n * 2; i++)
        u[i / (2 * n)][i / 2 % n][i % 2] = i;
#pragma acc parallel firstprivate(t, u) copyout(out)
    {
        t[n - 1][2] += 100;
        u[1][n - 1][1] += 1000;
#pragma acc loop gang vector
        for (int i = 0; i < 12; i++)
            out[i] = t[i % n][i % 3] + u[i % 2][i % n][1];
    }
    for (int i = 0; i < 12; i++)
        printf("%d ", out[i]);
#pragma acc parallel loop private(t) copyout(out)
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < n; k++)
            t[k][i % 3] = k * i;
        out[i] = t[n - 1][i % 3];
    }
    for (int i = 0; i < 12; i++)
        printf("%d ", out[i]);
    printf("\n");
}

int main(void)
{
    rows(2);
    rows(5);
    return 0;
}
