// loop seq keeps the order: a recurrence inside each gang's iteration.
#include <stdio.h>

int main(void)
{
    long a[16][20];
#pragma acc parallel loop gang copyout(a)
    for (int i = 0; i < 16; i++) {
        a[i][0] = i;
        a[i][1] = 1;
#pragma acc loop seq
        for (int k = 2; k < 20; k++)
            a[i][k] = a[i][k - 1] + a[i][k - 2];
    }
    for (int i = 0; i < 16; i++)
        printf("%ld\n", a[i][19]);
    return 0;
}
