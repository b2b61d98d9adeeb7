// The boundary value is set on the host before each step, but was copied only once.
// env: ACCRUE_SIM_CHECK=all
// finds: stale: read of 8 bytes at byte 0 of 't' (512 bytes), element 0
#include <stdio.h>

int main(void)
{
    double t[64] = {0}, next[64] = {0};
#pragma acc data copy(t) create(next)
    for (int step = 0; step < 3; step++) {
        t[0] = step;
#pragma acc parallel loop
        for (int i = 1; i < 63; i++)
            next[i] = 0.5 * (t[i - 1] + t[i + 1]); // found here
#pragma acc parallel loop
        for (int i = 1; i < 63; i++)
            t[i] = next[i];
    }
    printf("%g\n", t[1]);
}
