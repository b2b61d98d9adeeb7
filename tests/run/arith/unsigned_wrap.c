// Unsigned arithmetic wraps in its own width.
#include <stdio.h>

int main(void)
{
    unsigned a[64];
    unsigned long long b[64];
    unsigned short c[64];
#pragma acc parallel loop copyout(a, b, c)
    for (int i = 0; i < 64; i++) {
        a[i] = 4000000000u + 9000000u * (unsigned)i - (unsigned)i * (unsigned)i * 12345u;
        b[i] = 0xfffffffffffffff0ull + (unsigned)i * 3ull;
        unsigned short s = 65500;
        s += (unsigned short)i;
        s++;
        c[i] = s;
    }
    for (int i = 0; i < 64; i++)
        printf("%u %llu %u\n", a[i], b[i], c[i]);
    return 0;
}
