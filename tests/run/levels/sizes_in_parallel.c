// Sizes on loops of `parallel`, as other compilers take them: for those of the construct, which come first where it has its own
// (2.9.2 to 2.9.4). __builtin_goacc_parlevel_size tells.
// cflags: -w
// launches: 4
#include <stdio.h>

#ifdef _OPENACC
#define SIZE(level, asked) __builtin_goacc_parlevel_size(level)
#else
#define SIZE(level, asked) (asked)
#endif

enum { N = 640 };

int main(void)
{
    int lanes[N], gangs[N], wrong = 0, n = 64;
#pragma acc parallel loop gang vector(64) copyout(lanes)
    for (int i = 0; i < N; i++)
        lanes[i] = SIZE(2, 64);
    for (int i = 0; i < N; i++)
        wrong += lanes[i] != 64 && lanes[i] != 1;

#pragma acc parallel loop gang(num : n / 32) copyout(gangs)
    for (int i = 0; i < N; i++)
        gangs[i] = SIZE(0, 2);
    for (int i = 0; i < N; i++)
        wrong += gangs[i] > 2;

#pragma acc parallel copyout(gangs, lanes)
    {
#pragma acc loop gang(3) vector(length : n)
        for (int i = 0; i < N; i++) {
            gangs[i] = SIZE(0, 3);
            lanes[i] = SIZE(2, 64);
        }
    }
    for (int i = 0; i < N; i++)
        wrong += gangs[i] > 3 || (lanes[i] != 64 && lanes[i] != 1);

    // The construct has its own, and a number of the region comes too late.
#pragma acc parallel num_gangs(4) vector_length(32) copyout(gangs, lanes)
    {
        int inside = 2;
#pragma acc loop gang(inside) vector(128)
        for (int i = 0; i < N; i++) {
            gangs[i] = SIZE(0, 4);
            lanes[i] = SIZE(2, 32);
        }
    }
    for (int i = 0; i < N; i++)
        wrong += gangs[i] > 4 || (lanes[i] != 32 && lanes[i] != 1);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
