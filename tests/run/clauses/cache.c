// The cache directive inside a loop does not change results.
#include <stdio.h>

int main(void)
{
    int a[100], b[100];
    for (int i = 0; i < 100; i++)
        a[i] = i * i;
#pragma acc parallel loop copyin(a) copyout(b)
    for (int i = 1; i < 99; i++) {
#pragma acc cache(a[i - 1:3])
        b[i] = a[i - 1] + a[i] + a[i + 1];
    }
    printf("%d %d\n", b[1], b[98]);
    return 0;
}
