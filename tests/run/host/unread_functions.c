// Functions that no region reaches may contain what only the user's compiler knows: nested functions, decimal numbers, … .
// cflags: -w
// launches: 1
#include <stdio.h>

int missing(int x) { if (x) return; puts("missing"); }

int nested(int k)
{
    int s = 0;
    int add(int v) { return s += v * k; }
    for (int i = 0; i < 4; i++)
        add(i);
    return s;
}

int vla(int n)
{
    struct { char text[n]; int x; } s;
    s.x = n;
    return s.x + (int)sizeof s.text;
}

double decimal(double x)
{
    _Decimal64 d = 1.5dd;
    d += (_Decimal64)x;
    return (double)d;
}

float half(float x)
{
    _Float16 h = x;
    return h;
}

int old(a, b)
    int a;
    char b;
{
    int inner(void) { return a - b; }
    return inner();
}

int (*pointer(int i))[3]
{
    static int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int row(void) { return i; }
    return &rows[row()];
}

double rounded(double x)
{
    double y = x;
    y += 1;
#pragma STDC FP_CONTRACT OFF
    return y;
}

static double half_of(double x) { return x / 2; }

static double twice(double x) { return 4 * half_of(x); }

int main(void)
{
    double a[10];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = twice(i);
    missing(0);
    printf("%g %d %d %g %g %d %d %g\n", a[9], nested(3), vla(7), decimal(2), (double)half(1.5f), old(4, 1), (*pointer(1))[2],
           rounded(1));
    return 0;
}
