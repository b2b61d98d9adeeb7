// Conversions at calls: arguments to parameter types, results to the assigned type, promoted returns.
#include <stdio.h>

static float halve(float x) { return x / 2; }
static unsigned char low(int x) { return (unsigned char)x; }
static short narrow(double d) { return (short)d; }
static double widen(char c) { return c; }
static _Bool any(unsigned long long x) { return x; }

int main(void)
{
    double r[16];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 16; i++) {
        int h = (int)halve(i * 3);
        r[i] = h + halve(0.1) + low(250 + i) + narrow(i * 2000.7) + widen('a' + i) + any(i > 8 ? 1ull << 40 : 0);
    }
    for (int i = 0; i < 16; i++)
        printf("%.9g\n", r[i]);
    return 0;
}
