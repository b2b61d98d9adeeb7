// Atomics in kernels constructs: updates that commute may run in parallel, the others give the sequential result.
// launches: 3
#include <stdio.h>

#define N 5000

int main(void)
{
    int count = 0, order[N], next = 0, last = 0, bins[5] = {0};
#pragma acc kernels copy(count, bins)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        bins[i % 5] += i;
#pragma acc atomic
        count++;
    }
    /* The captured value depends on the order of iterations. */
#pragma acc kernels copy(next) copyout(order)
    for (int i = 0; i < N; i++) {
        int at;
#pragma acc atomic capture
        at = next++;
        order[at] = i;
    }
#pragma acc kernels copy(last)
    for (int i = 0; i < N; i++) {
#pragma acc atomic write
        last = i;
    }
    int sorted = 1;
    for (int i = 0; i < N; i++)
        sorted &= order[i] == i;
    printf("%d %d %d %d\n", count, next, sorted, last);
    for (int b = 0; b < 5; b++)
        printf("%d ", bins[b]);
    printf("\n");
    return 0;
}
