// Recursive functions called in a region, one through another.
#include <stdio.h>

static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

int main(void)
{
    long f[15];
    int e[15];
#pragma acc parallel loop copyout(f, e)
    for (int i = 0; i < 15; i++) {
        f[i] = factorial(i);
        e[i] = even(i) * 10 + odd(i);
    }
    for (int i = 0; i < 15; i++)
        printf("%ld %d\n", f[i], e[i]);
    return 0;
}
