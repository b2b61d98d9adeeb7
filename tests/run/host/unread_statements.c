// Host code beside regions that only the user's compiler can read, and what it does to variables that regions use.
// cflags: -w
// launches: 6
#include <stdio.h>

_Decimal64 global = 2.5dd;
_Decimal64 decimal(double x) { return (_Decimal64)x + global; }
static int missing(int x)
{
    if (x > 3)
        return;
    return x;
}
struct hidden {
    int value;
};

int main(void)
{
    int a[10], n = 10, t = 0, last = 0;
    int add(int v) { return v + n + t++; }
    struct {
        char text[n];
        int x;
    } s;
    _Decimal64 d = 1.5dd, e;
    _Float16 h = 1.5f;
    s.x = 3;
    e = decimal(d);
    for (int i = 0; i < n; i++)
        a[i] = add(i);
    if (d > 1.0dd)
        n = (int)e + 5;
#pragma acc parallel loop copy(a) copyin(n)
    for (int i = 0; i < 10; i++)
        a[i] += n + i;
    {
        int z = 1;
#pragma STDC FP_CONTRACT OFF
        z++;
    }
    /* What is behind the construct uses t and last. */
#pragma acc kernels copyout(a)
    for (int i = 0; i < 10; i++) {
        t = i * 2;
        last = t + 1;
        a[i] = last;
    }
    d += t;
    e = (_Decimal64)last;
    for (_Decimal64 k = 0.0dd; k < 2.0dd; k += 1.0dd)
        last += (int)k;
#pragma acc data copy(a)
    {
        d *= 2.0dd;
#pragma acc parallel loop
        for (int i = 0; i < 10; i++)
            a[i] += i;
    }
    while (d > 50.0dd)
        d /= 2.0dd;
    if (n > 3) {
        int inner = 7;
        a[0] += inner;
    }
    {
        _Decimal64 inner = 3.0dd;
        if (n > 4) {
            inner += n;
            a[1] += (int)inner;
        }
    }
    int round = 0;
again:
#pragma acc serial copy(round)
    round++;
    if (round < 3.0dd)
        goto again;
    printf("%d %g %g %d %d %d %g\n", a[9] + a[0] + a[1], (double)d, (double)e, last, n, round, (double)h);
    return missing(2) + (int)sizeof s.text;
}
