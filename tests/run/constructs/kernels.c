// kernels with several loops and scalar code between them; scalars are copied back.
#include <stdio.h>

int main(void)
{
    int a[100], b[100], n = 100, last = 0;
#pragma acc kernels copyout(a, b)
    {
        for (int i = 0; i < n; i++)
            a[i] = i * 2;
        last = a[99];
        for (int i = 0; i < n; i++)
            b[i] = a[n - 1 - i] + last;
        b[0] = 0;
    }
    int s = 0;
    for (int i = 0; i < n; i++)
        s += b[i] * (i % 3);
    printf("%d %d\n", s, last);
    return 0;
}
