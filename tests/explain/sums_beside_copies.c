// How many gangs there are where each has a copy of an array: that is decided by the loop that they share, not by the start of the copies.
// launches: 1
#include <stdio.h>

int main(void)
{
    enum { STREAMS = 256, PAIRS = 100 };
    static double rings[10];
    double sum = 0;
#pragma acc parallel loop gang vector copy(rings) reduction(+ : sum)
    for (int s = 0; s < STREAMS; s++) {
        unsigned x = 2u * s + 1;
        for (int k = 0; k < PAIRS; k++) {
            x = x * 1664525u + 1013904223u;
            double u = x / 4294967296.0;
#pragma acc atomic update
            rings[(int)(10 * u)]++;
            sum += u;
        }
    }
    double all = 0;
    for (int k = 0; k < 10; k++)
        all += rings[k];
    return all != STREAMS * PAIRS || sum < STREAMS * PAIRS * 0.4;
}
