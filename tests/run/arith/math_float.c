// Math functions of float, and integer abs functions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 40

int main(void)
{
    float r[N][8];
    long n[N][5];
#pragma acc parallel loop copyout(r, n)
    for (int i = 0; i < N; i++) {
        float x = (float)(i - 20), h = x * 0.25f;
        r[i][0] = sqrtf(x * x);
        r[i][1] = fabsf(h);
        r[i][2] = floorf(h);
        r[i][3] = ceilf(h);
        r[i][4] = fminf(h, 1);
        r[i][5] = fmaxf(h, -1);
        r[i][6] = truncf(h);
        r[i][7] = copysignf(h, -x);
        n[i][0] = abs(i - 20);
        n[i][1] = labs(-100000L * i);
        n[i][2] = lround((double)h);
        n[i][3] = (long)llabs(20LL - i);
        n[i][4] = lrintf(x);
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 8; k++)
            printf("%g ", r[i][k]);
        for (int k = 0; k < 5; k++)
            printf("%ld%c", n[i][k], k == 4 ? '\n' : ' ');
    }
    return 0;
}
