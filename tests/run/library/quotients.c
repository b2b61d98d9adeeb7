// div, ldiv and lldiv, which give structures, and abs.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define N 20

int main(void)
{
    long r[N][9];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < N; i++) {
        div_t a = div(i * 7 - 70, i % 4 - 5);
        ldiv_t b = ldiv(10000000000L * (i - 9), 7);
        lldiv_t c = lldiv(i - 10, 1LL << i);
        r[i][0] = a.quot;
        r[i][1] = a.rem;
        r[i][2] = b.quot;
        r[i][3] = b.rem;
        r[i][4] = c.quot;
        r[i][5] = c.rem;
        r[i][6] = div(i, 3).rem + abs(i - 10);
        r[i][7] = imaxdiv(i, 2).quot;
        r[i][8] = labs(i - 12L) + llabs(5LL - i);
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 9; k++)
            printf("%ld%c", r[i][k], k == 8 ? '\n' : ' ');
    }
    return 0;
}
