// Empty regions, empty loops, a region that is a lone semicolon.
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[4] = {1, 2, 3, 4};
#pragma acc parallel
    {
    }
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 4; i++) {
    }
#pragma acc serial copy(a)
    ;
#pragma acc data copy(a)
    {
    }
    printf("%d %d\n", a[0], a[3]);
    return 0;
}
