// The comma operator in expressions and in for headers of sequential loops.
#include <stdio.h>

int main(void)
{
    int a[10];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++) {
        int x, y, s = 0;
        x = (y = i, y += 2, y * 3);
        for (int lo = 0, hi = i; lo < hi; lo++, hi--)
            s += (x++, hi - lo);
        a[i] = (s, x) * 100 + s;
    }
    for (int i = 0; i < 10; i++)
        printf("%d\n", a[i]);
    return 0;
}
