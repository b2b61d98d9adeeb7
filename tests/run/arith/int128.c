// __int128 in a region: the high half of a 64-bit product.
#include <stdio.h>

int main(void)
{
    unsigned long long hi[16];
#pragma acc parallel loop copyout(hi)
    for (int i = 0; i < 16; i++) {
        unsigned __int128 p = (unsigned __int128)(0xfedcba9876543210ull + (unsigned)i) * 0x0123456789abcdefull;
        hi[i] = (unsigned long long)(p >> 64) ^ (unsigned long long)p;
    }
    for (int i = 0; i < 16; i++)
        printf("%llx\n", hi[i]);
    return 0;
}
