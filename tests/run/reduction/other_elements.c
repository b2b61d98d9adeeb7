// A loop that reduces a part of an array and uses other elements of it, by constant subscripts.
#include <stdio.h>

int main(void)
{
    int a[8] = {0, 0, 0, 0, 3, 1}, t = 7, s = 5, n = 100;
    int *p = a;
#pragma acc parallel loop reduction(+:a[0:2]) copy(a)
    for (int i = 0; i < n; i++)
        a[i % 2] += a[4] + a[5] * i;
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    // The construct's firstprivate and the loop's private are different variables; so are a pointer and what it leads to.
#pragma acc parallel loop firstprivate(t) private(t) copy(s) reduction(+:s) copy(p[0:8]) firstprivate(p)
    for (int i = 0; i < n; i++) {
        t = i + p[2];
        s += t;
    }
    printf("%d\n", s);
    return 0;
}
