// A sequential nest whose many iterations are all known: NVIDIA's assembler unrolled it, and needed minutes.
#include <stdio.h>

int main(void)
{
    _Bool least = 1;
    int at = 0;
#pragma acc parallel num_gangs(3) copy(least) reduction(max:at)
    {
        _Bool p = 1;
#pragma acc loop seq collapse(2) reduction(min:p)
        for (int i = 0; i < 5; i++)
            for (long j = 0; j < 1000; j++)
                if (!((i * 1000 + (int)j) == 121) < p)
                    p = !((i * 1000 + (int)j) == 121);
#pragma acc loop gang vector reduction(min:least)
        for (int k = 0; k < 100; k++)
            if (p < least)
                least = p;
        for (int j = 4000; j > 0; j -= 2)
            if (j % 7 == 3)
                at = j;
    }
    printf("%d %d\n", least, at);
    return 0;
}
