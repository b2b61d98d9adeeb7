// kernels around loops that cannot be partitioned: break, while, data-dependent exits.
#include <stdio.h>

int main(void)
{
    int a[64], found = -1, steps = 0;
    for (int i = 0; i < 64; i++)
        a[i] = (i * 37 + 11) % 64;
#pragma acc kernels copyin(a)
    {
        for (int i = 0; i < 64; i++)
            if (a[i] == 5) {
                found = i;
                break;
            }
        int at = 0;
        while (a[at] != 0 && steps < 1000) {
            at = a[at];
            steps++;
        }
    }
    printf("%d %d\n", found, steps);
    return 0;
}
