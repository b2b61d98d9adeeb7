// Bounds of loops of `kernels` that functions read, and bounds that functions change: by a variable of the program without a `declare`, with one,
// by a pointer, and by a struct. Such loops ask for their bounds before each iteration.
#include <stdio.h>

enum { N = 50 };
struct limits { int first, last; };
static int n = N, m = N, k = N, table[4] = {N, 3, 2, 1}, *leading = &k;
static struct limits limits = {0, N};
static double sizes[2] = {N, 1};
#pragma acc declare copyin(m)

static void shorten(int i)
{
    if (i == 20)
        n = 25;
}

static int until(void) { return m; }
static int entry(const int *restrict p, int at) { return p[at] > 0 ? p[at] : 0; }
static int last(void)
{
    struct limits all = limits;
    return all.last - all.first;
}
static int bound(void) { return k; }
static int size(void) { return (int)sizes[0]; }

static int sum(const int *p)
{
    int all = 0;
    for (int i = 0; i < N; i++)
        all += p[i] * (i % 7 + 1);
    return all;
}

int main(void)
{
    int p[N] = {0}, *q = table, *r = leading;
#pragma acc kernels copy(p)
    for (int i = 0; i < n; i++) {
        p[i] += 2;
        shorten(i);
    }
    printf("%d %d", sum(p), n);
#pragma acc kernels copy(p)
    for (int i = 0; i < until(); i++) {
        p[i] += 3;
        if (i == 15)
            m = 22;
    }
    printf(" %d", sum(p));
#pragma acc kernels copy(p, table)
    for (int i = 0; i < entry(table, 0); i++) {
        p[i] += 1;
        if (i == 11)
            q[0] = 13;
    }
    printf(" %d", sum(p));
#pragma acc kernels copy(p, limits)
    for (int i = 0; i < last(); i++) {
        p[i] += 4;
        if (i == 30)
            limits.first = 12;
    }
    printf(" %d", sum(p));
#pragma acc kernels copy(p, k)
    for (int i = 0; i < bound(); i++) {
        p[i] += 5;
        if (i == 8)
            *r = 17;
    }
    printf(" %d", sum(p));
    // Nothing in the loop is a double.
#pragma acc kernels copy(p)
    for (int i = 0; i < size(); i++)
        p[i] += i;
    printf(" %d\n", sum(p));
}
