// Unsigned sums and products wrap around, in types that C computes in int as well.
// launches: 3
#include <stdio.h>

#define N 20000

int main(void)
{
    unsigned char sum8 = 200, product8 = 3;
    unsigned short sum16 = 60000, product16 = 5;
    unsigned int sum32 = 4000000000u, product32 = 7;
    unsigned long long sum64 = 1ull << 63, product64 = 11;
    signed char signed8 = 100;
    short signed16 = -30000;
#pragma acc parallel loop reduction(+:sum8, sum16, sum32, sum64)
    for (unsigned i = 0; i < N; i++) {
        sum8 += i;
        sum16 += i * 3;
        sum32 += i * 1000003u;
        sum64 += (unsigned long long)i << 58;
    }
#pragma acc parallel loop gang worker vector num_workers(2) reduction(*:product8, product16, product32, product64)
    for (unsigned i = 0; i < N; i++) {
        product8 *= 2 * i + 1;
        product16 *= 2 * i + 1;
        product32 *= 2 * i + 1;
        product64 *= 2 * i + 1;
    }
    // Narrow signed types are converted back modulo 2^n.
#pragma acc parallel loop reduction(+:signed8, signed16)
    for (int i = 0; i < N; i++) {
        signed8 += 7;
        signed16 += i;
    }
    printf("%u %u %u %llu\n", sum8, sum16, sum32, sum64);
    printf("%u %u %u %llu\n", product8, product16, product32, product64);
    printf("%d %d\n", signed8, signed16);
    return 0;
}
