// Float arithmetic rounds to float; a double constant makes the operation double.
// cflags: -ffp-contract=off
#include <stdio.h>

int main(void)
{
    float a[16];
    double b[16], c[16];
#pragma acc parallel loop copyout(a, b, c)
    for (int i = 0; i < 16; i++) {
        float x = (float)i / 3.0f;
        a[i] = x * x;
        b[i] = x * 0.1;
        c[i] = (double)(float)(i * 0.1) - i * 0.1;
    }
    for (int i = 0; i < 16; i++)
        printf("%.9g %.17g %.17g\n", a[i], b[i], c[i]);
    return 0;
}
