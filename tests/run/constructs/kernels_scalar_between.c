// Statements between the loops of a kernels construct that store to globals: the loops read what the parts before them stored.
#include <stdio.h>

extern double factor;
double factor;
static int offset;
static struct { int a, b; } pair;

static void scale(double *x, int n)
{
    double d[64];
#pragma acc data create(d[:n]) copyout(x[0:n])
    {
#pragma acc kernels present(d[:n], x[0:n])
        {
            factor = 3.0;
#pragma acc loop independent
            for (int i = 0; i < n; i++)
                d[i] = 2.0 / factor;
            offset = 7;
            pair.b = offset + 1;
#pragma acc loop independent
            for (int i = 0; i < n; i++)
                x[i] = d[i] * offset + pair.b;
        }
    }
}

int main(void)
{
    double x[64];
    scale(x, 64);
    printf("%g %g %g %d %d\n", x[0], x[63], factor, offset, pair.b);
    return 0;
}
