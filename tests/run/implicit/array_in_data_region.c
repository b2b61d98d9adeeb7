// Arrays in an enclosing data region: implicit copy finds them present and transfers nothing.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[30], b[30];
    for (int i = 0; i < 30; i++)
        a[i] = i;
#pragma acc data copyin(a) create(b)
    {
#pragma acc parallel loop
        for (int i = 0; i < 30; i++)
            b[i] = a[i] * a[i];
#pragma acc parallel loop
        for (int i = 0; i < 30; i++)
            a[i] = b[29 - i];
#pragma acc update self(a, b)
    }
    for (int i = 0; i < 30; i++)
        printf("%d %d\n", a[i], b[i]);
    return 0;
}
