// The induction variable is declared before the loop (it is private in the region).
// launches: 2
#include <stdio.h>

int main(void)
{
    int i, j, a[10][10];
#pragma acc parallel loop copyout(a)
    for (i = 0; i < 10; i++) {
#pragma acc loop
        for (j = 0; j < 10; j++)
            a[i][j] = i * 10 + j;
    }
#pragma acc parallel loop collapse(2) copy(a)
    for (i = 0; i < 10; i++)
        for (j = 0; j < 10; j++)
            a[i][j] += j;
    i = j = 3;
    printf("%d %d %d\n", a[i][j], a[9][9], a[0][5]);
    return 0;
}
