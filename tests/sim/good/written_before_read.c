// The host's values are newer, but the device writes its own before it reads any, and copies its results back.
// env: ACCRUE_SIM_CHECK=all
// finds: nothing
#include <stdio.h>

int main(void)
{
    int a[500] = {0}, sum = 0;
#pragma acc data copy(a)
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 500; i++)
            a[i] = -step;
#pragma acc parallel loop
        for (int i = 0; i < 500; i++)
            a[i] = i + step;
#pragma acc parallel loop reduction(+ : sum)
        for (int i = 0; i < 500; i++)
            sum += a[i];
#pragma acc update self(a)
    }
    printf("%d %d\n", a[3], sum);
}
