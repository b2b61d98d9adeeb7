// _Bool: any value other than zero becomes 1, also from pointers and floats.
#include <stdbool.h>
#include <stdio.h>

int main(void)
{
    bool r[10];
    int sum = 0;
    double half = 0.5;
    int v = 256;
#pragma acc serial copyout(r) copy(sum) copyin(half)
    {
        r[0] = v;
        r[1] = half;
        r[2] = 0.0;
        r[3] = &half != 0;
        r[4] = !v;
        r[5] = (bool)(v & 255);
        r[6] = v > 3 && half < 1;
        r[7] = false;
        r[7] |= 4;
        r[8] = true;
        r[8] &= 2;
        r[9] = true;
        r[9] = r[9] - 1;
        for (int i = 0; i < 10; i++)
            sum += r[i] << i;
    }
    for (int i = 0; i < 10; i++)
        printf("%d", r[i]);
    printf(" %d\n", sum);
    return 0;
}
