// Variables with the storage class `register` in clauses whose variables are passed by address, and elsewhere.
// launches: 5
#include <stdio.h>

struct pair {
    int a, b;
};

static int parameter(register int n, register double x)
{
    register int s = 0, i;
#pragma acc parallel loop reduction(+ : s) copy(x)
    for (i = 0; i < n; i++)
        s += i * (int)x;
    return s;
}

int main(void)
{
    register int s = 0, t = 1;
    register int i, n = 100;
    register double x = 1.5;
    register struct pair p = {1, 2};
    register int kept __asm__("r12") = 7;
    int a[100];
#pragma acc parallel loop reduction(+ : s) copyout(a)
    for (i = 0; i < n; i++) {
        a[i] = i * t;
        s += i;
    }
#pragma acc data copy(x, p) copyin(n)
    {
#pragma acc serial
        {
            x += n;
            p.b += p.a;
        }
#pragma acc update self(x)
    }
#pragma acc kernels
    for (register int k = 0; k < n; k++) {
        register int square = k * k;
        a[k] += square;
    }
    for (register int outer = 0; outer < 1; outer++) {
#pragma acc parallel copy(outer)
        outer = outer + 0;
    }
    printf("%d %g %d %d %d %d\n", s, x, p.b, a[7], parameter(10, 2), kept);
    return 0;
}
