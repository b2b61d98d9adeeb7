// Members and neighbours in memory mapped separately, in both orders.
#include <stdio.h>

int main(void)
{
    struct {
        int a[8], b[8], c[8];
    } s;
    int *a = s.a, *b = s.b, *c = s.c;
#pragma acc data copyout(c[0:8])
    {
#pragma acc data copyout(a[0:8])
        {
#pragma acc data copyout(b[0:8])
            {
#pragma acc parallel loop present(a[0:8], b[0:8], c[0:8])
                for (int i = 0; i < 8; i++) {
                    a[i] = i;
                    b[i] = i * 10;
                    c[i] = i * 100;
                }
            }
        }
    }
    for (int i = 0; i < 8; i++)
        printf("%d %d %d\n", s.a[i], s.b[i], s.c[i]);
    return 0;
}
