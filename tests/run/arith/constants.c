// Literals of all kinds: suffixes, bases, characters, escapes, hexadecimal floats.
#include <limits.h>
#include <stdio.h>

int main(void)
{
    long long r[12];
    double d[6];
#pragma acc serial copyout(r, d)
    {
        r[0] = 0x7fffffff;
        r[1] = 0xffffffff;
        r[2] = 0777;
        r[3] = 'A' + '\n' + '\x7f' + '\0' + '\'';
        r[4] = '\xff';
        r[5] = 123456789012LL;
        r[6] = (long long)18446744073709551615ULL;
        r[7] = LLONG_MIN;
        r[8] = INT_MIN;
        r[9] = 0b1011;
        r[10] = sizeof(1) * 1000 + sizeof(1L) * 100 + sizeof(1.0f) * 10 + sizeof('a');
        r[11] = 4000000000 > 0;
        d[0] = 0x1.8p3;
        d[1] = 1e-3;
        d[2] = .5f;
        d[3] = 1.f / 3;
        d[4] = 1e308;
        d[5] = 100;
    }
    for (int i = 0; i < 12; i++)
        printf("%lld\n", r[i]);
    for (int i = 0; i < 6; i++)
        printf("%.17g\n", d[i]);
    return 0;
}
