// Unsigned division differs from signed division of the same bits.
#include <stdio.h>

int main(void)
{
    unsigned a[6] = {0, 1, 7, 0x7fffffffu, 0x80000000u, 0xffffffffu};
    unsigned q[6], r[6];
    unsigned long long ql[6];
    int mixed[6];
#pragma acc parallel loop copyin(a) copyout(q, r, ql, mixed)
    for (int i = 0; i < 6; i++) {
        q[i] = a[i] / 7u;
        r[i] = a[i] % 7u;
        ql[i] = (0xffffffffffffffffull - a[i]) / 10;
        mixed[i] = (int)(-8 / (a[i] | 2u) % 1000);
    }
    for (int i = 0; i < 6; i++)
        printf("%u %u %llu %d\n", q[i], r[i], ql[i], mixed[i]);
    return 0;
}
