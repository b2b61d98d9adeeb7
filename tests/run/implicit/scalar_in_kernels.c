// Scalars without a clause are copied in and out by kernels.
#include <stdio.h>

int main(void)
{
    int n = 5, a[10];
    double f = 1;
    _Bool seen = 0;
#pragma acc kernels copyout(a)
    {
        n += 1;
        f = n * 2.5;
        seen = 1;
        for (int i = 0; i < 10; i++)
            a[i] = i + n;
    }
    printf("%d %g %d %d\n", n, f, seen, a[9]);
    return 0;
}
