#include <stdio.h>

typedef struct {
    double v[4];
    int n;
} In;

void show(In in) { printf("%d: %g %g\n", in.n, in.v[0], in.v[3]); }

In make(int n)
{
    In in = {{n, n + 1, n + 2, n + 3}, n};
    return in;
}

double sum(In in, int *calls)
{
    ++*calls;
    return in.v[0] + in.v[1] + in.v[2] + in.v[3];
}
