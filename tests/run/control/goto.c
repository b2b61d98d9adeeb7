// goto in regions and in functions that they call: out of nested loops, back, to the end of a body, between several labels, out of
// switches; with break, continue and return of loops around the labels; variables next to labels.
#include <stdio.h>

#define N 64

#pragma acc routine seq
static int collatz(long n)
{
    int steps = 0;
again:
    if (n == 1)
        return steps;
    steps++;
    if (n % 2)
        goto odd;
    n /= 2;
    goto again;
odd:
    n = 3 * n + 1;
    goto again;
}

#pragma acc routine seq
static int find(const int *a, int n, int wanted)
{
    int i, j = -1;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            if (a[i * n + j] == wanted)
                goto found;
    return -1;
found:
    return i * 100 + j;
}

/* A small machine: labels are its states. */
#pragma acc routine seq
static int words(const char *s)
{
    int n = 0;
outside:
    switch (*s++) {
    case 0:
        goto end;
    case ' ':
        goto outside;
    default:
        n++;
        goto inside;
    }
inside:
    while (*s) {
        if (*s == ' ')
            goto outside;
        s++;
    }
end:
    return n;
}

int main(void)
{
    int a[N], b[N], c[N], d[N], e[N], f[N], square[16];
    for (int i = 0; i < 16; i++)
        square[i] = (i * 7) % 16;
#pragma acc parallel loop copyout(a, b) copyin(square)
    for (int i = 0; i < N; i++) {
        a[i] = collatz(i + 1);
        b[i] = find(square, 4, i);
    }
#pragma acc parallel loop copyout(c)
    for (int i = 0; i < N; i++) {
        c[i] = -1;
        if (i % 3 == 0)
            goto next;
        c[i] = i;
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < 3; k++) {
                switch (j + k) {
                case 20:
                    goto next;
                case 5:
                    if (i % 2)
                        goto twice;
                    break;
                default:
                    continue;
                }
                c[i] += k;
            }
        }
        c[i] += 1000;
        goto next;
    twice:
        c[i] *= 2;
    next:;
    }
    /* break and continue of loops around the labels */
#pragma acc parallel loop gang vector copyout(d)
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int j = 0; j < 20; j++) {
            int tries = 0;
        retry:
            tries++;
            if (tries < j % 4)
                goto retry;
            if (j == i % 30)
                break;
            switch (j % 5) {
            case 1:
                continue;
            case 2: {
            more:
                sum += 100;
                if (sum % 1000 == 700)
                    break;
                if (sum % 300 == 100)
                    goto more;
                if (sum % 1100 == 5)
                    continue;
                sum++;
            }
            default:
                sum += tries;
            }
            sum += j;
        }
        d[i] = sum;
    }
    /* a block in a block, jumps to both */
#pragma acc parallel loop copyout(e)
    for (int i = 0; i < N; i++) {
        int k = i, rounds = 0;
    outer: {
        int step = 1 + k % 3;
    inner:
        k += step;
        if (++rounds > 50)
            goto done;
        for (;;) {
            if (k % 7 == 0)
                goto outer;
            if (k % 5 == 0)
                goto inner;
            if (k++ > 3 * i + 40)
                goto done;
        }
    }
    done:
        e[i] = k + 1000 * rounds;
    }
#pragma acc serial copyout(f)
    {
        int i = 0;
        double x;
    fill:
        x = 0.5 * i;
        f[i] = (int)x + words(i % 2 ? " a bc  d " : "x");
        if (++i < N)
            goto fill;
    unused:;
    }
    for (int i = 0; i < N; i++)
        printf("%d %d %d %d %d %d\n", a[i], b[i], c[i], d[i], e[i], f[i]);
    return 0;
}
