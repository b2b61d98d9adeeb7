// Data regions in loops left by break on the host side outside the region, and around function calls.
// launches: 4
#include <stdio.h>

static int once(int *a, int n)
{
    int hit = 0;
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop reduction(|:hit)
        for (int i = 0; i < n; i++) {
            a[i]++;
            hit |= a[i] > 7;
        }
    }
    return hit;
}

int main(void)
{
    int a[5] = {0, 1, 2, 3, 4}, rounds = 0;
    for (;;) {
        rounds++;
        if (once(a, 5))
            break;
        if (rounds > 20)
            return 1;
    }
    printf("%d %d\n", rounds, a[0]);
    return 0;
}
