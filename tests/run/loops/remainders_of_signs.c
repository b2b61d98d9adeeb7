// Remainders by numbers below zero and by large ones without a sign, and of counters that are cut or go round.
// launches: 4
#include <stdio.h>

int main(void)
{
    volatile int minus = -2, three = 3;
    volatile unsigned long large = -1ul;
    int n = minus, rows = 300, d = three, y[6], t[4][3];
    unsigned long m = large, z[6];
    for (int k = 0; k < 6; k++) {
        y[k] = 7;
        z[k] = 7;
    }
#pragma acc parallel loop gang num_gangs(1) copy(y)
    for (int g = 0; g < 1; g++) {
#pragma acc loop seq
        for (int i = 0; i < n + 4; i++)
            y[i] = i % n;
#pragma acc loop seq
        for (int i = 0; i < d + 1; i++)
            y[2 + i] = i % d;
    }
#pragma acc parallel loop gang num_gangs(1) copy(z)
    for (int g = 0; g < 1; g++) {
#pragma acc loop vector
        for (unsigned long i = 0; i < m + 3; i++)
            z[i] = i % m;
    }
    for (int k = 0; k < 6; k++)
        printf("%d %lu ", y[k], z[k]);
    printf("\n");
#pragma acc parallel loop copyout(t)
    for (int g = 0; g < 4; g++) {
        int seen[3] = {0, 0, 0};
        for (int k = 0; k < rows; k++)
            seen[(signed char)k % 2 + 1] += 1;
        for (int j = 0; j < 3; j++)
            t[g][j] = seen[j];
    }
    printf("%d %d %d\n", t[3][0], t[3][1], t[3][2]);
#pragma acc parallel loop copyout(t)
    for (int g = 0; g < 4; g++) {
        int seen[3] = {0, 0, 0};
        for (unsigned k = 0; k < (unsigned)rows; k++)
            seen[(int)(k + 0x7fffffffu) % 2 + 1] += 1;
        for (int j = 0; j < 3; j++)
            t[g][j] = seen[j];
    }
    printf("%d %d %d\n", t[3][0], t[3][1], t[3][2]);
    return 0;
}
