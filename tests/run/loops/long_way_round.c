// Counters without sign that go round the end of their type to the bound of `!=`, and steps of more than half of the numbers of
// their type; under every directive, with arrays, a reduction and collapse.
#include <limits.h>
#include <stdio.h>

static int seen[300];

static long sum(void)
{
    long s = 0;
    for (int i = 0; i < 300; i++) {
        s = s * 7 % 1000003 + seen[i];
        seen[i] = 0;
    }
    return s;
}

int main(void)
{
    unsigned char low = 5, step = 200;
    unsigned from = 3, to = 7, by = 2;
    unsigned long end = 4;
    long total = 0;
#pragma acc parallel loop copy(seen)
    for (unsigned char i = 250; i != 5; i++)
        seen[i] += i;
    printf("%ld\n", sum());
#pragma acc parallel loop copy(seen)
    for (unsigned char i = low; i != 250; i--)
        seen[i] += i + 1;
    printf("%ld\n", sum());
#pragma acc parallel loop gang vector copy(seen) reduction(+ : total)
    for (unsigned i = from - 20; i != to; i += by) {
        seen[i + 40] += 3;
        total += (int)i;
    }
    printf("%ld %ld\n", sum(), total);
#pragma acc parallel loop collapse(2) copy(seen)
    for (unsigned short i = 65530; i != 6; ++i)
        for (unsigned long j = -3ul; j != end; j = 1 + j)
            seen[(unsigned short)(i + 6) * 7 + j + 3] += 1;
    printf("%ld\n", sum());
#pragma acc kernels loop independent copy(seen)
    for (unsigned i = 9; i != -2u; i -= 1)
        seen[i + 2] = i + 5;
    printf("%ld\n", sum());
#pragma acc kernels copy(seen)
    for (unsigned i = 9; i != -2u; --i)
        seen[i + 2] = i + 6;
    printf("%ld\n", sum());
#pragma acc parallel loop copy(seen)
    for (unsigned char i = 0; i < 150; i += 200)
        seen[i]++;
    printf("%ld\n", sum());
#pragma acc parallel loop copy(seen)
    for (unsigned char i = 255; i > 60; i -= 200)
        seen[i]++;
    printf("%ld\n", sum());
#pragma acc parallel loop copy(seen)
    for (unsigned char i = low; i <= 190; i += step)
        seen[i]++;
    printf("%ld\n", sum());
#pragma acc parallel loop copy(seen)
    for (unsigned char i = 254; i >= 60; i -= step)
        seen[i]++;
    printf("%ld\n", sum());
#pragma acc parallel loop copy(seen)
    for (unsigned i = 290; i > 3; i += 4294967295u)
        seen[i] += i;
    printf("%ld\n", sum());
#pragma acc parallel loop copy(seen)
    for (unsigned i = 2; i < 290; i -= UINT_MAX)
        seen[i] += i;
    printf("%ld\n", sum());
#pragma acc parallel loop copy(seen)
    for (unsigned long i = 1; i < 9; i += (1ul << 63) + 5)
        seen[i] += 8;
    printf("%ld\n", sum());
#pragma acc parallel copy(seen)
    {
#pragma acc loop gang
        for (unsigned char i = 254; i != 3; i++)
#pragma acc loop vector
            for (unsigned char j = 1; j != 253; j--)
                seen[(unsigned char)(i + 2) * 9 + (unsigned char)(j + 3)] += 1;
    }
    printf("%ld\n", sum());
    return 0;
}
