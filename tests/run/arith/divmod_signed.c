// Division and remainder of negative numbers truncate towards zero.
// launches: 2
#include <stdio.h>

int main(void)
{
    int q[11][11], r[11][11];
    long long ql[11], rl[11];
#pragma acc parallel loop collapse(2) copyout(q, r)
    for (int a = -5; a <= 5; a++)
        for (int b = -5; b <= 5; b++) {
            int d = b == 0 ? 3 : b;
            q[a + 5][b + 5] = a * 7 / d;
            r[a + 5][b + 5] = a * 7 % d;
        }
#pragma acc parallel loop copyout(ql, rl)
    for (int a = -5; a <= 5; a++) {
        ql[a + 5] = a * 1000000000007LL / -3;
        rl[a + 5] = a * 1000000000007LL % -3;
    }
    for (int a = 0; a < 11; a++) {
        for (int b = 0; b < 11; b++)
            printf(" %d:%d", q[a][b], r[a][b]);
        printf(" | %lld %lld\n", ql[a], rl[a]);
    }
    return 0;
}
