// Host code in a function with regions calls functions that take and return structures and are defined elsewhere.
// with: struct_calls.part.c
// launches: 3
#include <stdio.h>

typedef struct {
    double v[4];
    int n;
} In;

void show(In in);
In make(int n);
double sum(In in, int *calls);
static In here(In in);

int main(void)
{
    double a[10];
    int calls = 0, last = 0;
    In in = make(3);
    show(in);
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = in.v[i % 4];
    in = make(a[1]);
    if (sum(in, &calls) > 1)
        show(here(in));
#pragma acc kernels copyout(a)
    for (int i = 0; i < 10; i++) {
        last = i;
        a[i] = in.v[i % 4] + last;
    }
    for (In k = make(1); make(k.n).n < 4; k.n++)
        a[k.n] += sum(k, &calls) + make(2).v[1];
    while (sum(make(calls), &calls) < 20)
        ;
#pragma acc serial copy(a)
    a[2] += calls;
    printf("%g %g %g %d\n", a[1], a[2], a[9], calls);
    return (int)make(0).v[0];
}

static In here(In in)
{
    in.n = -in.n;
    return in;
}
