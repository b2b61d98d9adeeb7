// serial loop, the combined construct, also collapsed and with inner loop directives.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[6][6];
#pragma acc serial loop collapse(2) copyout(a)
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            a[i][j] = i * j;
#pragma acc serial loop copy(a)
    for (int i = 0; i < 6; i++) {
#pragma acc loop vector
        for (int j = 0; j < 6; j++)
            a[i][j] += i;
    }
    for (int i = 0; i < 6; i++)
        printf("%d %d\n", a[i][1], a[i][5]);
    return 0;
}
