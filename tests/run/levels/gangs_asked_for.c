// A program that asks how many gangs there are sees the clause's number, also where fewer would have iterations.
#include <stdio.h>

#ifdef _OPENACC
#define GANGS(asked) __builtin_goacc_parlevel_size(0)
#else
#define GANGS(asked) (asked)
#endif

#pragma acc routine seq
static int gangs(int asked)
{
    return GANGS(asked);
}

int main(void)
{
    static int a[64], b[64];
    int seen[2] = {0};
#pragma acc parallel loop gang vector num_gangs(7) vector_length(160) copy(a, seen)
    for (int i = 0; i < 64; i++) {
        a[i] = i;
        if (i == 3)
            seen[0] = GANGS(7);
    }
#pragma acc parallel loop gang vector num_gangs(9) vector_length(160) copy(b, seen)
    for (int i = 0; i < 64; i++) {
        b[i] = i;
        if (i == 3)
            seen[1] = gangs(9);
    }
    printf("%d %d %d\n", a[63] + b[62], seen[0], seen[1]);
    return 0;
}
