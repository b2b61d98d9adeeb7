// Definitions in the old style, implicit conversions, several declarators, and a region among them.
// cflags: -std=gnu89 -w
#include <stdio.h>

static int add(a, b)
int a;
short b;
{
    return a + b;
}

int main()
{
    int i, n = 6, v[6], *p = v;
#pragma acc parallel loop copyout(p[0:n])
    for (i = 0; i < n; i++)
        p[i] = add(i, 10);
    for (i = 0; i < n; i++)
        printf("%d ", v[i]);
    printf("\n");
    return 0;
}
