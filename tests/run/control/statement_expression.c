// GNU statement expressions and __typeof__ inside a region.
#include <stdio.h>

#define MAX(a, b)               \
    ({                          \
        __typeof__(a) x_ = (a); \
        __typeof__(b) y_ = (b); \
        x_ > y_ ? x_ : y_;      \
    })

int main(void)
{
    int a[20];
    double d[20];
#pragma acc parallel loop copyout(a, d)
    for (int i = 0; i < 20; i++) {
        int n = i;
        a[i] = MAX(n++, 10) + n;
        d[i] = MAX(i * 0.5, 4);
    }
    for (int i = 0; i < 20; i++)
        printf("%d %g\n", a[i], d[i]);
    return 0;
}
