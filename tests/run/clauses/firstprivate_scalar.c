// firstprivate scalars of all sizes: the value comes in, changes stay inside.
// expect-output: firstprivate_scalar.expect
// launches: 2
#include <stdio.h>

int main(void)
{
    char c = 1;
    short s = 2;
    int i = 3;
    long l = 4;
    float f = 5.5f;
    double d = 6.25;
    _Bool b = 1;
    double out[12];
#pragma acc parallel loop gang num_gangs(4) firstprivate(c, s, i, l, f, d, b) copyout(out)
    for (int k = 0; k < 12; k++)
        out[k] = c + s + i + l + f + d + b + k;
#pragma acc parallel num_gangs(1) firstprivate(c, s, i, l, f, d, b) copy(out)
    {
        c++;
        s *= 2;
        i -= 1;
        l <<= 3;
        f /= 2;
        d = -d;
        b = !b;
        out[0] = c + s + i + l + f + d + b;
    }
    for (int k = 0; k < 12; k++)
        printf("%g ", out[k]);
    printf("| %d %d %d %ld %g %g %d\n", c, s, i, l, f, d, b);
    return 0;
}
