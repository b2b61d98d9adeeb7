// #if around directives, and code that asks for _OPENACC.
#include <stdio.h>

#define USE_REDUCTION 1

int main(void)
{
    int s = 0, a[5] = {1, 2, 3, 4, 5};
#if USE_REDUCTION
#pragma acc parallel loop copyin(a) reduction(+:s)
#else
#pragma acc this is not even a directive
#endif
    for (int i = 0; i < 5; i++)
        s += a[i];
#ifdef _OPENACC
    s += 100;
#else
    s += 50 * 2;
#endif
#if 0
#pragma acc parallel bad(
#endif
    printf("%d\n", s);
    return 0;
}
