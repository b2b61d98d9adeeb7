// Atomic updates of floating-point objects; the values are exact in any order.
#include <stdio.h>

int main(void)
{
    double sum = 0, less = 1000, product = 1, quotient = 1ll << 60, inverse = 1;
    float f = 0;
    int from_float = 0;
#pragma acc parallel loop copy(sum, less, product, quotient, inverse, f, from_float) num_gangs(16)
    for (int i = 0; i < 50; i++) {
#pragma acc atomic
        sum += i * 0.5;
#pragma acc atomic
        less = less - i;
#pragma acc atomic
        product *= 2;
#pragma acc atomic
        quotient /= 2;
#pragma acc atomic
        inverse = 1 / inverse;
#pragma acc atomic
        f += (float)i;
        /* Computed in double, then cut off. */
#pragma acc atomic
        from_float += 2.75;
    }
    printf("%g %g %g %g %g %g %d\n", sum, less, product, quotient, inverse, f, from_float);
    return 0;
}
