// C11 _Atomic objects in regions: counters, accumulators, members, elements, behind pointers, in routines; their values; loads and
// stores in the order of the program.
#include <stdio.h>

#define N 1000

struct tally {
    _Atomic int count;
    _Atomic(double) sum;
    int plain;
};

static _Atomic unsigned long total;
#pragma acc declare create(total)

#pragma acc routine seq
static int next(_Atomic int *ticket)
{
    return (*ticket)++;
}

#pragma acc routine seq
static void keep_largest(volatile _Atomic short *largest, short x)
{
    while (*largest < x)
        *largest = x;
}

int main(void)
{
    _Atomic int hits = 0, bins[7] = {0}, ticket = 5;
    struct tally t = {0, 0.0, 3};
    _Atomic _Bool any = 0;
    _Atomic unsigned char bits = 0;
    _Atomic float product = 1.5f;
    int seen[N] = {0}, local[N], last = 0;
#pragma acc parallel loop copy(hits, bins)
    for (int i = 0; i < N; i++) {
        hits++;
        bins[i % 7] += i;
    }
#pragma acc parallel loop gang vector copy(t, any, bits, product)
    for (int i = 0; i < N; i++) {
        t.count -= 2;
        if (i == 700) {
            any = t.plain == 3;
            t.sum = 0.25 + product;
        }
        bits |= 1 << i % 5;
    }
#pragma acc parallel loop copy(seen, ticket)
    for (int i = 0; i < N; i++) {
        int k = next(&ticket);
        seen[k - 5]++;
    }
#pragma acc parallel loop copyout(local)
    for (int i = 0; i < N; i++) {
        _Atomic int mine = i;
        int a = mine++, b = --mine;
        mine += 3;
        int c = mine;
        mine = mine * 2;
        int d = mine;
        local[i] = a + 10 * b + 100 * c + 1000 * d;
    }
    total = 7;
#pragma acc update device(total)
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        total += i;
#pragma acc update self(total)
#pragma acc serial copy(last)
    {
        _Atomic short largest = -1;
        for (short i = 0; i < 50; i++)
            keep_largest(&largest, i * 7 % 50);
        last = largest;
    }
    int once = 0;
    long sum = 0;
    for (int i = 0; i < N; i++) {
        once += seen[i] == 1;
        sum += local[i];
    }
    printf("%d", hits);
    for (int i = 0; i < 7; i++)
        printf(" %d", bins[i]);
    printf(" %d %g %d %d %g %d %d %ld %lu %d\n", t.count, t.sum, any, bits, product, ticket, once, sum, total, last);
    return 0;
}
