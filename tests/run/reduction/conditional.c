// Contributions only in some iterations, in branches and after continue.
#include <stdio.h>

int main(void)
{
    int evens = 0, primes = 0, last = -1;
#pragma acc parallel loop reduction(+:evens, primes) reduction(max:last)
    for (int i = 2; i < 2000; i++) {
        if (i % 2 == 0) {
            evens++;
            if (i != 2)
                continue;
        }
        int d = 3;
        for (; d * d <= i; d += 2)
            if (i % d == 0)
                break;
        if (d * d <= i)
            continue;
        primes++;
        last = i > last ? i : last;
    }
    printf("%d %d %d\n", evens, primes, last);
    return 0;
}
