// Scalars of constant types, whose memory cannot be written: a kernels construct must not copy them back.
#include <stdio.h>

extern const double factor;
static const float offset = 0.5f;

static double scaled(double x) { return x * factor + offset; }

int main(void)
{
    double c[20], d[20];
    static const long shift = 3;
#pragma acc kernels loop copyout(c)
    for (int i = 0; i < 20; i++)
        c[i] = factor * i + scaled(i) + shift;
#pragma acc parallel loop copyout(d)
    for (int i = 0; i < 20; i++)
        d[i] = factor * i + scaled(i) + shift;
    printf("%f %f\n", c[5], d[6]);
    return 0;
}

const double factor = 2.5;
