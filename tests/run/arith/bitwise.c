// & | ^ ~ on mixed widths and signs.
#include <stdio.h>

int main(void)
{
    unsigned long long r[100];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 100; i++) {
        short s = (short)(i * 777);
        unsigned u = 0xdeadbeefu ^ (unsigned)i;
        long long l = ~(long long)i;
        r[i] = (unsigned long long)((s & u) | (l ^ 0x5555555555555555LL)) ^ ~u;
        r[i] ^= (unsigned long long)(s | l);
    }
    unsigned long long h = 0;
    for (int i = 0; i < 100; i++)
        h = h * 1000003 ^ r[i];
    printf("%llx %llx %llx\n", h, r[1], r[99]);
    return 0;
}
