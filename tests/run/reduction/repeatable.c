// A floating sum with rounding gives the same bits in every run of the same region.
// expect-output: repeatable.expect
// launches: 31
#include <stdio.h>

#define N 100000

static double sum(const double *v)
{
    double s = 0;
#pragma acc parallel loop gang vector copyin(v[0:N]) reduction(+:s)
    for (int i = 0; i < N; i++)
        s += v[i];
    return s;
}

int main(void)
{
    static double v[N];
    for (int i = 0; i < N; i++)
        v[i] = 1.0 / (1 + i * 7 % 1013);
    double first = sum(v);
    int different = 0;
    for (int t = 0; t < 30; t++)
        different += sum(v) != first;
    printf("%d\n", different);
    return 0;
}
