// && and || on int, char, float and _Bool; the result is 0 or 1.
// launches: 8
#include <stdbool.h>
#include <stdio.h>

int main(void)
{
    int a[100], all = 5, none = 1, any = 0, some = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma acc parallel loop copyin(a) reduction(&&:all)
    for (int i = 0; i < 100; i++)
        all = all && a[i] >= 0;
#pragma acc parallel loop copyin(a) reduction(&&:none)
    for (int i = 0; i < 100; i++)
        none = none && a[i] != 57;
#pragma acc parallel loop copyin(a) reduction(||:any)
    for (int i = 0; i < 100; i++)
        any = any || a[i] > 100;
#pragma acc parallel loop copyin(a) reduction(||:some)
    for (int i = 0; i < 100; i++)
        some = a[i] == 99 || some;
    bool b = true, c = false;
    char ch = 1;
    double d = 0;
#pragma acc parallel loop reduction(&&:b)
    for (int i = 0; i < 100; i++)
        b = b && i < 99;
#pragma acc parallel loop reduction(||:c)
    for (int i = 0; i < 100; i++)
        c = c || i == 50;
#pragma acc parallel loop reduction(&&:ch)
    for (int i = 0; i < 100; i++)
        ch = ch && i > -1;
#pragma acc parallel loop reduction(||:d)
    for (int i = 0; i < 100; i++)
        d = d || i * 0.5 > 20;
    printf("%d %d %d %d %d %d %d %g\n", all, none, any, some, b, c, ch, d);
    return 0;
}
