// serial: one gang, one worker, one lane; loops in it keep their order.
#include <stdio.h>

int main(void)
{
    unsigned a[50];
#pragma acc serial copyout(a)
    {
        unsigned x = 12345;
        for (int i = 0; i < 50; i++) {
            x = x * 1103515245u + 12345u;
            a[i] = x >> 16;
        }
        for (int i = 1; i < 50; i++)
            a[i] += a[i - 1];
    }
    printf("%u %u\n", a[0], a[49]);
    return 0;
}
