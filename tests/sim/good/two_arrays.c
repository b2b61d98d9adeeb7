// `race/stencil_in_place` as it should be: from one array into the other and back.
// finds: nothing
#include <stdio.h>

int main(void)
{
    double t[400] = {0}, next[400] = {0};
    t[200] = 100;
#pragma acc data copy(t) copyin(next)
    for (int step = 0; step < 4; step++) {
#pragma acc parallel loop
        for (int i = 1; i < 399; i++)
            next[i] = 0.25 * t[i - 1] + 0.5 * t[i] + 0.25 * t[i + 1];
#pragma acc parallel loop
        for (int i = 1; i < 399; i++)
            t[i] = 0.25 * next[i - 1] + 0.5 * next[i] + 0.25 * next[i + 1];
    }
    printf("%g\n", t[200]);
}
