// Sign and zero extension from every narrow type to 64 bits.
#include <stdio.h>

int main(void)
{
    signed char sc = -3;
    unsigned char uc = 253;
    short s = -300;
    unsigned short us = 65236;
    int i = -70000;
    unsigned u = 4294897296u;
    long long out[8];
    unsigned long long uout[6];
#pragma acc serial copyout(out, uout)
    {
        out[0] = sc;
        out[1] = uc;
        out[2] = s;
        out[3] = us;
        out[4] = i;
        out[5] = u;
        out[6] = (int)u;
        out[7] = (unsigned)i;
        uout[0] = sc;
        uout[1] = uc;
        uout[2] = s;
        uout[3] = us;
        uout[4] = i;
        uout[5] = u;
    }
    for (int k = 0; k < 8; k++)
        printf("%lld\n", out[k]);
    for (int k = 0; k < 6; k++)
        printf("%llu\n", uout[k]);
    return 0;
}
