// A stencil that overwrites what its neighbours still need.
// finds: race
// finds: of 't'
#include <stdio.h>

int main(void)
{
    double t[400] = {0};
    t[200] = 100;
#pragma acc parallel loop copy(t)
    for (int i = 1; i < 399; i++)
        t[i] = 0.25 * t[i - 1] + 0.5 * t[i] + 0.25 * t[i + 1]; // found here
    printf("%g\n", t[200]);
}
