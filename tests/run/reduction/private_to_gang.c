// Variables of which each gang has its own are not reduced over gangs: each gets the whole result, unless a single gang has
// been asked for.
#include <stdio.h>

int main(void)
{
    int n = 50, sum[4] = {0}, q = 4, u = 5, one = 0;
#pragma acc parallel num_gangs(4) copy(sum) private(q) firstprivate(u)
    {
        int p = 7;
        q = 2;
#pragma acc loop reduction(^:p) reduction(+:q, u)
        for (int i = 0; i < n; i++) {
            int h = 0;
#pragma acc loop reduction(+:h)
            for (int k = 0; k < i; k++)
                h += k;
            p ^= 3 * i;
            q += h;
            u += i;
        }
#pragma acc loop auto reduction(max:u)
        for (int i = 0; i < n; i++)
            if (100 * i > u)
                u = 100 * i;
#pragma acc loop gang
        for (int g = 0; g < 4; g++)
            sum[g] = p + q + u;
    }
#pragma acc parallel num_gangs(1) copy(one)
    {
        int p = 7;
#pragma acc loop gang reduction(+:p)
        for (int i = 0; i < n; i++)
            p += i;
        one = p;
    }
    printf("%d %d %d %d %d\n", sum[0], sum[1], sum[2], sum[3], one);
    return 0;
}
