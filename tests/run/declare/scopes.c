// Data of functions and blocks: on every way out of the scope the region ends, behind the value that is returned.
#include <stdio.h>

static double sum(int n, double v[n])
{
#pragma acc declare present(v)
    double s = 0;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++) s += v[i];
    return s;
}

static double work(int n, int how)
{
    double t[n], s = 0;
#pragma acc declare create(t)
    for (int k = 0; k < n; k++) {
        double u[4] = {k, 1, 2, 3};
#pragma acc declare copy(u)
        if (k == how) continue;
        if (k == how + 2) break;
        {
            int v[4];
#pragma acc declare copyout(v)
#pragma acc parallel loop
            for (int i = 0; i < 4; i++) v[i] = u[i] * k;
        }
        if (k == 2 * how) goto out;
#pragma acc parallel loop
        for (int i = 0; i < 4; i++) u[i] += k;
    }
    switch (how) {
    case 1: {
        int w[2] = {1, 2};
#pragma acc declare copyin(w)
#pragma acc parallel loop copyout(t)
        for (int i = 0; i < n; i++) t[i] = w[i % 2];
#pragma acc update self(t)
        if (n > 3) break;
        return t[0];
    }
    case 3:
        return t[0] = 7;
    default:
        break;
    }
#pragma acc parallel loop
    for (int i = 0; i < n; i++) t[i] = i;
    s = sum(n, t);
    return s + how;
out:
    return -how;
}

static int deep(int n)
{
    int level[3] = {n, n, n}, total = 0;
#pragma acc declare copyin(level)
    if (n == 0) return 0;
    int below = deep(n - 1);
#pragma acc parallel loop reduction(+:total)
    for (int i = 0; i < 3; i++) total += level[i];
    return total + below;
}

static int calls;
static int next(void)
{
    static int s[2];
#pragma acc declare copy(s)
#pragma acc parallel loop
    for (int i = 0; i < 2; i++) s[i] += i + 1;
    calls++;
    return 0;
}

static int last(int out[2])
{
    struct { int a, b; } both = {1, 2};
#pragma acc declare copy(both)
    {
#pragma acc declare copyin(out)
#pragma acc parallel
        {
            both.a = out[0] + 10;
            both.b = out[1] + 20;
        }
    }
#pragma acc update self(both)
    return both.a * 1000 + both.b;
}

int main(void)
{
    int two[2] = {3, 4};
    for (int how = 0; how < 5; how++) printf("%g ", work(how + 2, how));
    printf("%d\n", deep(4));
    for (int i = 0; i < 3; i++) next();
    printf("%d %d\n", calls, last(two));
    return 0;
}
