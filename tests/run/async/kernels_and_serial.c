// async on kernels with several phases and on serial.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[100], b[100], last = 0;
#pragma acc data create(a) copyout(b) copy(last)
    {
#pragma acc kernels async(3) present(a, b, last)
        {
            for (int i = 0; i < 100; i++)
                a[i] = i;
            for (int i = 0; i < 100; i++)
                b[i] = a[99 - i];
            last = b[99];
        }
#pragma acc serial async(3) present(b, last)
        last += b[0];
#pragma acc wait(3)
    }
    printf("%d %d\n", last, b[50]);
    return 0;
}
