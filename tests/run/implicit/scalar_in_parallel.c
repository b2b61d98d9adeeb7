// Scalars without a clause are firstprivate in parallel and serial.
// launches: 2
#include <stdio.h>

int main(void)
{
    int n = 5, a[10];
    double f = 2;
    unsigned char c = 9;
#pragma acc parallel num_gangs(1) copyout(a)
    {
        n += 3;
        f *= n;
        c = (unsigned char)(c + 250);
        for (int i = 0; i < 10; i++)
            a[i] = (int)f + c + i;
    }
    printf("%d %d\n", a[0], a[9]);
    n = 7;
#pragma acc serial copyout(a)
    {
        f = 100;
        a[0] = (int)f + n;
    }
    printf("%d\n", a[0]);
    return 0;
}
