// Conversions that lose bits: wide to narrow, signed to unsigned and back.
#include <stdio.h>

int main(void)
{
    long long in[8] = {0, -1, 127, 128, 255, 256, 65535, 0x123456789abcdefLL};
    signed char sc[8];
    unsigned char uc[8];
    short s[8];
    unsigned short us[8];
    int i32[8];
    unsigned u32[8];
#pragma acc parallel loop copyin(in) copyout(sc, uc, s, us, i32, u32)
    for (int i = 0; i < 8; i++) {
        sc[i] = (signed char)in[i];
        uc[i] = (unsigned char)in[i];
        s[i] = in[i];
        us[i] = in[i];
        i32[i] = in[i];
        u32[i] = in[i];
    }
    for (int i = 0; i < 8; i++)
        printf("%d %u %d %u %d %u\n", sc[i], uc[i], s[i], us[i], i32[i], u32[i]);
    return 0;
}
