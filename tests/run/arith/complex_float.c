// float _Complex: arithmetic, division by powers of two, cabsf of exact triples, real and imaginary parts as lvalues.
#include <complex.h>
#include <stdio.h>

#define N 6

int main(void)
{
    float complex a[N];
    float len[N];
#pragma acc parallel loop copyout(a, len)
    for (int i = 0; i < N; i++) {
        float complex z = 3.0f * (i + 1) + 4.0f * (i + 1) * I;
        len[i] = cabsf(z);
        z /= 2;
        z *= z;
        __real__ z += 1;
        __imag__ z = -__imag__ z;
        a[i] = -z / (2.0f * I);
    }
    for (int i = 0; i < N; i++)
        printf("%g%+gi %g\n", crealf(a[i]), cimagf(a[i]), len[i]);
    return 0;
}
