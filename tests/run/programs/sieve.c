// Primes by trial division and by a sieve whose strikes are grouped by residue.
// launches: 3
#include <stdio.h>

#define N 20000

int main(void)
{
    static char composite[N];
    int count = 0, check = 0;
#pragma acc data copyout(composite)
    {
#pragma acc parallel loop present(composite)
        for (int i = 0; i < N; i++) {
            composite[i] = i < 2;
            for (int p = 2; p * p <= i; p++)
                if (i % p == 0) {
                    composite[i] = 1;
                    break;
                }
        }
#pragma acc parallel loop present(composite) reduction(+:count)
        for (int i = 0; i < N; i++)
            count += !composite[i];
#pragma acc parallel loop present(composite) reduction(^:check)
        for (int i = 0; i < N; i++)
            check ^= composite[i] ? 0 : i;
    }
    printf("%d %d %d\n", count, check, composite[19997]);
    return 0;
}
