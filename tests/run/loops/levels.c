// Every single level and every combination of levels on one loop.
// launches: 8
#include <stdio.h>

#define N 1000
#define RUN(levels, value)                                                    \
    do {                                                                      \
        _Pragma(levels) for (int i = 0; i < N; i++) a[i] += (i % 17) * value; \
    } while (0)

int main(void)
{
    static int a[N];
    RUN("acc parallel loop gang copy(a)", 1);
    RUN("acc parallel loop worker copy(a) num_gangs(1)", 2);
    RUN("acc parallel loop vector copy(a) num_gangs(1)", 3);
    RUN("acc parallel loop gang worker copy(a)", 4);
    RUN("acc parallel loop gang vector copy(a)", 5);
    RUN("acc parallel loop worker vector copy(a) num_gangs(1)", 6);
    RUN("acc parallel loop gang worker vector copy(a)", 7);
    RUN("acc parallel loop seq copy(a) num_gangs(1)", 8);
    long s = 0;
    for (int i = 0; i < N; i++)
        s = (s * 7 + a[i]) % 1000000007;
    printf("%ld %d\n", s, a[999]);
    return 0;
}
