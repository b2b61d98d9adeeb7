// Counting lattice points in a circle with a generator per iteration.
#include <stdio.h>

static unsigned next(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

int main(void)
{
    long inside = 0;
#pragma acc parallel loop gang vector reduction(+:inside)
    for (int i = 0; i < 2000; i++) {
        unsigned s = 2463534242u + (unsigned)i * 7919u;
        for (int k = 0; k < 50; k++) {
            long x = next(&s) >> 16, y = next(&s) >> 16;
            if (x * x + y * y < 1L << 32)
                inside++;
        }
    }
    printf("%ld\n", inside);
    return 0;
}
