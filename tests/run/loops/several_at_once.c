// Loops whose iterations a device may run several at a time: any number of iterations, conditions, private and reduction
// variables whose order matters only within an iteration.
#include <stdio.h>

static int a[3000], b[3000], c[3000];

static int work(int n, int lanes)
{
    int sum = 0, largest = -1, where = 0;
#pragma acc parallel loop gang vector num_gangs(3) vector_length(lanes) copyin(a) copy(b, c) \
    reduction(+:sum, where) reduction(max:largest)
    for (int i = 0; i < n; i++) {
        int t = a[i] + b[i];
        if (t % 3 == 0)
            t = -t;
        b[i] = t;
        c[i] = c[i] + b[i];
        sum = sum + c[i];
        if (c[i] > largest)
            largest = c[i];
        where += largest >= c[i];
    }
    return sum + 31 * largest + where;
}

/* An element is changed and read again in the same iteration. */
static void twice(int n, int *restrict p)
{
#pragma acc parallel loop copy(p[0:n])
    for (int i = 0; i < n; i++) {
        p[i] *= 3;
        p[i] += p[i] % 7;
        int old = p[i];
        p[i] = old ^ i;
    }
}

int main(void)
{
    static const int counts[] = {0, 1, 2, 31, 32, 33, 95, 96, 97, 383, 384, 385, 1000, 2999, 3000};
    for (int i = 0; i < 3000; i++) {
        a[i] = i * 37 % 101;
        b[i] = i % 13;
        c[i] = -i;
    }
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
        printf("%d: %d", counts[k], work(counts[k], k % 2 ? 32 : 128));
        twice(counts[k], a);
        printf(" %d\n", counts[k] ? a[counts[k] - 1] : 0);
    }
    unsigned h = 0;
    for (int i = 0; i < 3000; i++)
        h = h * 31 + (unsigned)(a[i] ^ b[i] ^ c[i]);
    printf("%u\n", h);
    return 0;
}
