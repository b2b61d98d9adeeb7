// Loops whose condition counts, or that count down: with a comparison or without, signed and unsigned, with the variable read
// inside and behind, left early, and without iterations.
#include <stddef.h>
#include <stdio.h>

#define N 50

static int in[N][64], out[N][16];

static void each(int i, const int *from, int *to)
{
    int s = 0, left = 40;
    while (left-- > 0)
        s += from[left];
    to[0] = s + left;

    s = 0;
    for (size_t k = 48; k-- > 0;)
        s = (int)(3 * (unsigned)s + from[k]);
    to[1] = s;

    s = 0;
    unsigned count = (unsigned)i % 7;
    while (count--)
        s += from[count] * (int)count;
    to[2] = s;
    to[3] = (int)count;

    s = 0;
    const int *p = from;
    int *q = to + 8;
    for (size_t k = 8; k-- > 0;)
        *q++ = s += *p++;

    s = 0;
    int k = 20;
    while (k-- > 0)
        if (from[k] % 11 == i % 11)
            break;
        else
            s += from[k];
    to[4] = s * 100 + k;

    s = 0;
    k = 20;
    while (k-- > 5) {
        if (from[k] & 1)
            continue;
        s += k;
    }
    to[5] = s * 100 + k;

    s = 0;
    for (int m = i - 10; m >= 0; m--)
        s += from[m] * m;
    for (long m = i % 5; m > -3; m--)
        s += (int)m;
    to[6] = s;

    s = 0;
    int none = -3;
    while (none-- > 0)
        s++;
    unsigned short narrow = 9;
    while (narrow-- > 2)
        s += from[narrow];
    to[7] = s * 1000 + none + narrow;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 64; k++)
            in[i][k] = (i * 37 + k * k * 11) % 101;
#pragma acc parallel loop copyin(in) copyout(out)
    for (int i = 0; i < N; i++)
        each(i, in[i], out[i]);
    unsigned sum = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 16; k++)
            sum = sum * 31 + (unsigned)out[i][k];
    printf("%u %d %d %d %d %d %d\n", sum, out[7][0], out[9][3], out[11][4], out[12][5], out[13][6], out[14][7]);
    return 0;
}
