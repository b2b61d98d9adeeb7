// Quotients and remainders of numbers of 64 bits, of which some have 32 and a divisor of 2^32 has no low bits: signed and unsigned.
#include <limits.h>
#include <stdio.h>

enum { N = 3000 };

static long a[N], b[N], q[N], r[N];
static unsigned long uq[N], ur[N];

static unsigned long noise(unsigned long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

int main(void)
{
    unsigned long state = 88172645463325252;
    for (int i = 0; i < N; i++) {
        a[i] = (long)noise(&state) >> (i % 3 * 20 + i / 7 % 20);
        b[i] = (long)noise(&state) >> i / 3 % 64;
        if (b[i] == 0 || (a[i] == LONG_MIN && b[i] == -1))
            b[i] = 3;
        if (i % 97 == 0)
            b[i] = 1L << 32;
    }
    long ends[][2] = {{LONG_MIN, 1},         {UINT_MAX, 1},  {UINT_MAX + 1L, UINT_MAX}, {-1, UINT_MAX}, {0, LONG_MIN},
                      {UINT_MAX, UINT_MAX}, {INT_MIN, -1}, {5, 1L << 32},           {-7, 2}};
    for (int k = 0; k < 9; k++) {
        a[11 * k] = ends[k][0];
        b[11 * k] = ends[k][1];
    }
#pragma acc parallel loop copyin(a, b) copyout(q, r, uq, ur)
    for (int i = 0; i < N; i++) {
        q[i] = a[i] / b[i];
        r[i] = a[i] % b[i];
        uq[i] = (unsigned long)a[i] / (unsigned long)b[i];
        ur[i] = (unsigned long)a[i] % (unsigned long)b[i];
        if (i % 5 == 4)
            q[i] += 1000000007 / (b[i] | 1) + i % b[i];
    }
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        long quotient = a[i] / b[i] + (i % 5 == 4 ? 1000000007 / (b[i] | 1) + i % b[i] : 0);
        wrong += q[i] != quotient || r[i] != a[i] % b[i];
        wrong += uq[i] != (unsigned long)a[i] / (unsigned long)b[i] || ur[i] != (unsigned long)a[i] % (unsigned long)b[i];
    }
    printf("%d\n", wrong);
    return wrong != 0;
}
