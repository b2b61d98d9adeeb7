// Compound assignment computes in the common type and converts back to the left one.
#include <stdio.h>

int main(void)
{
    int i[9];
    unsigned char c[5];
    float f[4];
    double d = 10;
#pragma acc serial copyout(i, c, f) copy(d)
    {
        for (int k = 0; k < 9; k++)
            i[k] = 100 + k;
        i[0] += 3.75;
        i[1] -= 0.5f;
        i[2] *= 1.5;
        i[3] /= 2.5;
        i[4] %= 7;
        i[5] <<= 3L;
        i[6] >>= 1u;
        i[7] &= ~1;
        i[8] |= 0x80;
        for (int k = 0; k < 5; k++)
            c[k] = 250;
        c[0] += 10;
        c[1] *= 3;
        c[2] ^= 0x1ff;
        c[3] -= 251;
        c[4] /= 2.5;
        for (int k = 0; k < 4; k++)
            f[k] = 3;
        f[0] += 1e10;
        f[1] *= 7;
        f[2] /= 2;
        f[3] -= 3000000000u;
        d += f[1] *= i[4];
        d -= c[0] += 3;
    }
    for (int k = 0; k < 9; k++)
        printf("%d ", i[k]);
    for (int k = 0; k < 5; k++)
        printf("%u ", c[k]);
    for (int k = 0; k < 4; k++)
        printf("%.10g ", f[k]);
    printf("%g\n", d);
    return 0;
}
