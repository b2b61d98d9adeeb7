// Loops that count down, with -- and with -= and > and >= and != bounds.
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[30], b[30] = {0}, c[30];
#pragma acc parallel loop copyout(a)
    for (int i = 29; i >= 0; i--)
        a[i] = i * 2;
#pragma acc parallel loop copy(b)
    for (int i = 28; i > 3; i -= 4)
        b[i] = i;
#pragma acc parallel loop copyout(c)
    for (int i = 29; i != -1; --i)
        c[29 - i] = i;
    for (int i = 0; i < 30; i++)
        printf("%d %d %d\n", a[i], b[i], c[i]);
    return 0;
}
