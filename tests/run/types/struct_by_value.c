// Structs passed to and returned from functions by value inside a region.
#include <stdio.h>

typedef struct {
    double re, im;
} cplx;
typedef struct {
    int a[10];
    char c;
} big;

static cplx mul(cplx x, cplx y)
{
    cplx r = {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
    return r;
}

static big shift(big b, int by)
{
    for (int i = 0; i < 10; i++)
        b.a[i] += by;
    b.c++;
    return b;
}

int main(void)
{
    cplx z[10];
    big b = {{1, 2, 3}, 'x'}, out[10];
#pragma acc parallel loop copyin(b) copyout(z, out)
    for (int i = 0; i < 10; i++) {
        cplx t = {i, 1};
        z[i] = mul(t, mul(t, (cplx){0, 1}));
        out[i] = shift(b, i);
        z[i].re += shift(out[i], 1).a[2];
    }
    for (int i = 0; i < 10; i++)
        printf("%g %g %d %c\n", z[i].re, z[i].im, out[i].a[2], out[i].c);
    printf("%d %c\n", b.a[0], b.c);
    return 0;
}
