// Conversions between floating and integer types, truncation towards zero, large unsigned values.
// launches: 2
#include <stdio.h>

int main(void)
{
    double in[8] = {0.0, 0.9, -0.9, 1.5, -1.5, 123456.75, -123456.75, 2147483647.0};
    int a[8];
    long long b[8];
    unsigned c[8];
    float back[8];
    unsigned long long big = 0;
    double from_big = 0, from_neg = 0;
#pragma acc parallel loop copyin(in) copyout(a, b, c, back)
    for (int i = 0; i < 8; i++) {
        a[i] = (int)in[i];
        b[i] = (long long)(in[i] * 1000000.0);
        c[i] = (unsigned)(in[i] < 0 ? -in[i] : in[i] + 2147483648.0);
        back[i] = (float)a[i] + (signed char)in[i & 3];
    }
#pragma acc serial copy(big, from_big, from_neg)
    {
        big = (unsigned long long)18446744073709549568.0;
        from_big = (double)0xfffffffffffff800ull;
        from_neg = -5L;
    }
    for (int i = 0; i < 8; i++)
        printf("%d %lld %u %.10g\n", a[i], b[i], c[i], back[i]);
    printf("%llu %.20g %g\n", big, from_big, from_neg);
    return 0;
}
