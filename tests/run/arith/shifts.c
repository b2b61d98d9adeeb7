// Shifts: arithmetic right for signed, logical for unsigned, result type from the promoted left operand.
// launches: 2
#include <stdio.h>

int main(void)
{
    int sr[32];
    unsigned ur[32];
    long long sl[32];
    unsigned long long ul[32];
    unsigned char narrow[8];
#pragma acc parallel loop copyout(sr, ur, sl, ul)
    for (int i = 0; i < 32; i++) {
        sr[i] = -1234567 >> i;
        ur[i] = 0xfedcba98u >> i << (i & 3);
        sl[i] = (-0x123456789abcdefLL >> (2 * i)) + (1LL << (i + 20));
        ul[i] = 1ull << (63 - i) | 0xf0f0f0f0f0f0f0f0ull >> i;
    }
#pragma acc parallel loop copyout(narrow)
    for (int i = 0; i < 8; i++) {
        unsigned char c = 0x81;
        narrow[i] = (unsigned char)(c << i >> 1);
    }
    for (int i = 0; i < 32; i++)
        printf("%d %u %lld %llu\n", sr[i], ur[i], sl[i], ul[i]);
    for (int i = 0; i < 8; i++)
        printf("%u\n", narrow[i]);
    return 0;
}
