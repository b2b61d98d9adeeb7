// Inner declarations hide outer ones, in blocks, loop headers and regions.
#include <stdio.h>

int i = 1000;

int main(void)
{
    int a[8], x = 5;
#pragma acc parallel loop copyout(a) firstprivate(x)
    for (int i = 0; i < 8; i++) {
        int y = x;
        {
            int x = 10 + i;
            y += x;
            for (int x = 0; x < 2; x++) {
                int y = 1;
                y += x;
            }
            {
                long x = y;
                y = (int)(x * 2);
            }
        }
        a[i] = y + x;
    }
    for (int k = 0; k < 8; k++)
        printf("%d ", a[k]);
    printf("%d %d\n", i, x);
    return 0;
}
