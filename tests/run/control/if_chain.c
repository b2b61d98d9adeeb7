// if / else if chains, empty branches, nested conditions without braces.
#include <stdio.h>

int main(void)
{
    int a[40];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 40; i++) {
        int r = 0;
        if (i < 5)
            r = 1;
        else if (i < 10)
            if (i & 1)
                r = 2;
            else
                r = 3;
        else if (i < 12)
            ;
        else if (i < 20) {
        } else
            r = i > 30 ? 4 : 5;
        if (i % 7)
            if (i % 5)
                r += 100;
            else
                r += 200;
        a[i] = r;
    }
    for (int i = 0; i < 40; i++)
        printf("%d\n", a[i]);
    return 0;
}
