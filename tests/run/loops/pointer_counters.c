// Loops that count by a pointer: each test, both directions, steps of several objects, structs, what the pointer is behind the loop.
#include <stdio.h>

enum { N = 40, M = 37 };
struct pair {
    float x;
    short y, z;
};

#pragma acc routine seq
static float total(const struct pair *from, const struct pair *to)
{
    float sum = 0;
    for (; from != to; ++from)
        sum += from->x * from->y - from->z;
    return sum;
}

#pragma acc routine seq
static int first_above(const int *p, const int *end, int limit)
{
    const int *at = end;
    for (const int *q = p; q < end; q++)
        if (at == end && *q > limit)
            at = q;
    return (int)(at - p);
}

#pragma acc routine seq
static double of_eight(const struct pair *first)
{
    double sum = 0;
    for (const struct pair *q = first; q < first + 8; q++)
        sum = sum / 2 + q->x;
    for (const struct pair *q = first + 7; q >= first; q -= 3)
        sum = sum / 2 + q->y;
    return sum;
}

/* The bounds are constants away from the start, or seem to be. */
#pragma acc routine seq
static double constants(const int *row, int odd)
{
    double sum = 0;
    const int *p, *end = row + 6;
    for (p = row + 1; p != row + 12; p++)
        sum = sum / 2 + *p;
    for (p = row + 5; p < row + 2; p++)
        sum += 1000;
    for (p = &row[9]; p > end; --p)
        sum = sum / 2 + *p;
    p = row;
    if (odd)
        p = row + 3;
    for (; p < end; p++)
        sum = sum / 2 + *p;
    p = row + 2;
    while (p <= row + 10) {
        sum = sum / 2 + *p;
        p += 4;
    }
    return sum + (p - row);
}

static void run(int n, int m, const int *a, const struct pair *s, double *out)
{
#pragma acc parallel loop copyin(a[0:n * m], s[0:m]) copyout(out[0:12 * n])
    for (int i = 0; i < n; i++) {
        const int *row = a + i * m, *end = row + m, *p;
        long sum = 0, down = 0, pairs = 0, upto = 0, back = 0, skipped = 0, empty = 0;
        for (p = row; p != end; p++)
            sum += *p * (p - row);
        long behind = p - row;
        for (p = end; p > row;)
            down = down * 3 % 1000003 + *--p;
        for (p = end - 1; row <= p; p -= 1)
            back += *p * 2;
        for (p = row; p < end - 1; p += 2)
            pairs += p[0] * 3 - p[1];
        behind = behind * 100 + (p - row);
        for (p = row + i % 5; p <= end - 2; p += 3)
            upto ^= *p + (end - p);
        p = row;
        while (p < end) {
            int value = *p++;
            if (value % 3 == 0)
                continue;
            skipped += value;
        }
        for (p = end; p < row; p++)
            empty++;
        // As long as the row says.
        const int *stop = row + row[0] % m;
        int k = 0;
        for (p = row; p != stop; ++p, ++k)
            sum += k * *p;
        double *o = out + 12 * i;
        *o++ = sum;
        *o++ = down;
        *o++ = back;
        *o++ = pairs;
        *o++ = upto;
        *o++ = skipped + 1000000.0 * empty;
        *o++ = behind;
        *o++ = total(s + i % m, s + m);
        *o++ = first_above(row, end, 90);
        double product = 1;
        for (double *q = o - 1; q >= o - 3; --q)
            product = product * 0.5 + *q;
        *o++ = product;
        *o++ = of_eight(s + i % (M - 8));
        *o = constants(row, i % 2);
    }
}

int main(void)
{
    static int a[N * M];
    static struct pair s[M];
    static double out[12 * N];
    for (int k = 0; k < N * M; k++)
        a[k] = k * 7919 % 101;
    for (int k = 0; k < M; k++)
        s[k] = (struct pair){k / 4.0f, (short)(k % 5), (short)(k % 3)};
    run(N, M, a, s, out);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 12; k++)
            printf("%.10g ", out[12 * i + k]);
        printf("\n");
    }
    return 0;
}
