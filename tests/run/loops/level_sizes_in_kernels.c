// gang(n), worker(n) and vector(n) arguments inside kernels.
#include <stdio.h>

int main(void)
{
    static int a[24][40];
    int w = 2;
#pragma acc kernels copyout(a)
#pragma acc loop gang(6) worker(w)
    for (int i = 0; i < 24; i++)
#pragma acc loop vector(16)
        for (int j = 0; j < 40; j++)
            a[i][j] = i * j;
    int s = 0;
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 40; j++)
            s += a[i][j] % 10;
    printf("%d\n", s);
    return 0;
}
