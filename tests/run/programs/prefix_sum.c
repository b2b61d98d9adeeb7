// Inclusive prefix sum by doubling, with two buffers.
// launches: 10
#include <stdio.h>

#define N 1000

int main(void)
{
    static long a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = i % 10 + 1;
    long *from = a, *to = b;
#pragma acc data copy(a, b)
    for (int step = 1; step < N; step *= 2) {
#pragma acc parallel loop present(from[0:N], to[0:N])
        for (int i = 0; i < N; i++)
            to[i] = from[i] + (i >= step ? from[i - step] : 0);
        long *t = from;
        from = to;
        to = t;
    }
    printf("%ld %ld %ld\n", from[0], from[500], from[999]);
    return 0;
}
