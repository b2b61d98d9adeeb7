// The update leaves out the last element.
// env: ACCRUE_SIM_CHECK=stale
// finds: stale: read of 8 bytes at byte 792 of 'a' (800 bytes), element 99
#include <stdio.h>

int main(void)
{
    double a[100] = {0}, sum = 0;
#pragma acc enter data copyin(a)
    for (int i = 0; i < 100; i++)
        a[i] = 0.5 * i;
#pragma acc update device(a[0:99])
#pragma acc parallel loop present(a) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += a[i]; // found here
#pragma acc exit data delete(a)
    printf("%g\n", sum);
}
