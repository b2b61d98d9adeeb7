// update device and self of several sections, with strided halves, with if.
#include <stdio.h>

int main(void)
{
    int a[30], b[5][4], on = 1, off = 0;
    for (int i = 0; i < 30; i++)
        a[i] = 0;
    for (int i = 0; i < 20; i++)
        b[i / 4][i % 4] = 0;
#pragma acc data copy(a, b)
    {
        for (int i = 0; i < 10; i++)
            a[i] = i + 1;
        b[2][1] = 5;
#pragma acc update device(a[0:10], b[2:1][1:2]) if (on)
#pragma acc parallel loop present(a, b)
        for (int i = 0; i < 10; i++)
            a[i + 10] = a[i] * 2 + b[2][1];
#pragma acc update self(a[10:10])
        for (int i = 0; i < 10; i++)
            a[i + 20] = a[i + 10] + 1;
#pragma acc update device(a[20:10])
#pragma acc update device(b) if (off)
    }
    for (int i = 0; i < 30; i++)
        printf("%d ", a[i]);
    printf("%d\n", b[2][1]);
    return 0;
}
