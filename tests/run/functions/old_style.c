// Definitions without a prototype convert what they are called with to what their parameters are declared as (6.9.1).
#include <stdio.h>

static int tenths(a, b) int a; float b; { return a + (int)(b * 10); }
static int narrow(c, s) signed char c; short s; { return c * 1000 + s; }
static double wide(n, f) long n; float f; { return (double)n * (double)f; }
static int later();

int main(void)
{
    int a[8], b[8], d[8];
    double c[8];
#pragma acc parallel loop copyout(a, b, c, d)
    for (int i = 0; i < 8; i++) {
        a[i] = tenths(i, 3.7f);
        b[i] = narrow(300 + i, 70000 + i);
        c[i] = wide((long)i, 0.1);
        d[i] = later(i, 'x');
    }
    for (int i = 0; i < 8; i++)
        printf("%d %d %a %d\n", a[i], b[i], c[i], d[i]);
    return 0;
}

static int later(i, letter) unsigned char i; char letter; { return i + letter; }
