// long and short induction variables; trip counts that do not start at zero or fit 32 bits as values.
// launches: 3
#include <stdio.h>

int main(void)
{
    long a[40];
    short b[40];
    const long base = 5000000000L;
#pragma acc parallel loop copyout(a)
    for (long i = base; i < base + 40; i++)
        a[i - base] = i;
#pragma acc parallel loop copyout(b)
    for (short s = -20; s < 20; s++)
        b[s + 20] = s;
#pragma acc parallel loop copy(a)
    for (long long i = -3000000000LL; i <= -2999999990LL; i += 2)
        a[i + 3000000000LL] -= i;
    for (int i = 0; i < 40; i++)
        printf("%ld %d\n", a[i], b[i]);
    return 0;
}
