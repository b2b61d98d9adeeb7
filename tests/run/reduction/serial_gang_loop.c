// Gang and worker loops in serial have no levels: their iterations take turns with the variable.
// launches: 2
#include <stdio.h>

int main(void)
{
    _Bool any = 0;
    int h[3] = {1, 2, 3};
#pragma acc serial copy(any)
    {
#pragma acc loop gang collapse(2) reduction(max:any)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 1023; j++)
                any = any > (i * 1023 + j == 3328) ? any : (i * 1023 + j == 3328);
    }
#pragma acc serial loop gang worker reduction(+:h)
    for (int i = 0; i < 100; i++)
        h[i % 3] += i;
    printf("%d %d %d %d\n", any, h[0], h[1], h[2]);
    return 0;
}
