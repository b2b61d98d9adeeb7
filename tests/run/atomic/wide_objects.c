// Objects that the processor cannot change in one instruction: complex numbers, long double, __int128.
// modes: shared discrete (a GPU has no long double)
#include <complex.h>
#include <stdio.h>

int main(void)
{
    double complex z = 0;
    float complex c = 1;
    long double l = 0, seen = 0;
    __int128 wide = 0;
#pragma acc parallel loop copy(z, c, l, wide, seen)
    for (int i = 0; i < 4000; i++) {
#pragma acc atomic
        z += i + 2 * i * I;
#pragma acc atomic
        c *= I;
#pragma acc atomic
        l += i;
#pragma acc atomic
        wide += ((__int128)i) << 40;
        long double now;
#pragma acc atomic capture
        now = l -= 1;
#pragma acc atomic write
        seen = now > -1e9L ? 1 : 2;
    }
    printf("%g %g %g %g %Lg %lld %Lg\n", creal(z), cimag(z), crealf(c), cimagf(c) + 0, l, (long long)(wide >> 40), seen);
    return 0;
}
