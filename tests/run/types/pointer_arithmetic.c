// Pointer arithmetic on mapped data: offsets, differences, comparisons, negative subscripts.
#include <stdio.h>

#define N 64

int main(void)
{
    int a[N], b[N];
    long d[N];
    for (int i = 0; i < N; i++)
        a[i] = i * 3;
#pragma acc parallel loop copyin(a) copyout(b, d)
    for (int i = 0; i < N; i++) {
        const int *p = a + i;
        const int *mid = &a[N / 2];
        d[i] = p - mid;
        if (p < mid)
            p += N / 2;
        else
            p -= N / 2;
        b[i] = *p + mid[-1] + 1 [p == mid ? a : mid - 1];
    }
    for (int i = 0; i < N; i++)
        printf("%d %ld\n", b[i], d[i]);
    return 0;
}
