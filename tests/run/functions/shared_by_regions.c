// One helper used by several regions, by the host, and with a name that shadows a parameter elsewhere.
// launches: 3
#include <stdio.h>

static int f(int x) { return 2 * x + 1; }
static int g(int f) { return f - 1; }

int main(void)
{
    int a[10], b[10], c = 0;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = f(i);
#pragma acc kernels loop copyin(a) copyout(b)
    for (int i = 0; i < 10; i++)
        b[i] = f(a[i]) + g(a[i]);
#pragma acc serial copy(c)
    c = f(g(10));
    for (int i = 0; i < 10; i++)
        printf("%d %d %d\n", a[i], b[i], f(i));
    printf("%d\n", c);
    return 0;
}
