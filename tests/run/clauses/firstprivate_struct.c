// firstprivate structs and complex values.
// expect-output: firstprivate_struct.expect
#include <complex.h>
#include <stdio.h>

struct par {
    int n;
    double scale[2];
};

int main(void)
{
    struct par p = {3, {0.5, 2}};
    double complex z = 1 + 2 * I;
    double out[20];
#pragma acc parallel num_gangs(3) firstprivate(p, z) copyout(out)
    {
        p.n++;
        p.scale[1] *= 4;
        z *= z;
#pragma acc loop gang vector
        for (int i = 0; i < 20; i++)
            out[i] = p.n * p.scale[i & 1] * i + creal(z) - cimag(z);
    }
    for (int i = 0; i < 20; i++)
        printf("%g ", out[i]);
    printf("%d %g %g\n", p.n, p.scale[1], cimag(z));
    return 0;
}
