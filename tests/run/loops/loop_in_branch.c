// Partitioned loops inside if branches and inside sequential loops of a region.
#include <stdio.h>

int main(void)
{
    int a[64], up = 1;
#pragma acc parallel copyout(a) num_gangs(1)
    {
        if (up) {
#pragma acc loop vector
            for (int i = 0; i < 64; i++)
                a[i] = i;
        } else {
#pragma acc loop vector
            for (int i = 0; i < 64; i++)
                a[i] = -i;
        }
        for (int t = 0; t < 5; t++) {
#pragma acc loop worker
            for (int i = 0; i < 64; i++)
                a[i] += t * i;
        }
    }
    for (int i = 0; i < 64; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
