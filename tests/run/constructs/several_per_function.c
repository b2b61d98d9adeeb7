// Many regions of all kinds in one function, sharing variables and their names.
// launches: 7
#include <stdio.h>

int main(void)
{
    int a[20], s = 0;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 20; i++)
        a[i] = i;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 20; i++)
        a[i] += 1;
#pragma acc serial copy(a)
    a[3] = 0;
    {
        int a[3];
#pragma acc serial copyout(a)
        a[2] = 77;
        s += a[2];
    }
#pragma acc kernels loop copy(a)
    for (int i = 0; i < 20; i++)
        a[i] *= 2;
    for (int t = 0; t < 2; t++) {
        int b = t + 1;
#pragma acc parallel loop copy(a) firstprivate(b)
        for (int i = 0; i < 20; i++)
            a[i] += b;
    }
    for (int i = 0; i < 20; i++)
        s += a[i] * i;
    printf("%d\n", s);
    return 0;
}
