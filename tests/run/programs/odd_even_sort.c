// Odd-even transposition sort: a region per phase.
// launches: 65
#include <stdio.h>

#define N 65

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i * 48271 % 1009;
#pragma acc data copy(a)
    for (int phase = 0; phase < N; phase++) {
#pragma acc parallel loop present(a)
        for (int i = phase & 1; i < N - 1; i += 2)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
    }
    for (int i = 0; i < N; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
