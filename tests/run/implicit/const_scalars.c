// const and enum constants, const scalars and constant expressions in regions and clauses.
#include <stdio.h>

enum { SIZE = 15 };
static const double pi2 = 6.25;

int main(void)
{
    const int n = SIZE - 1;
    const float half = 0.5f;
    double a[SIZE];
#pragma acc parallel loop copyout(a[0:SIZE])
    for (int i = 0; i <= n; i++)
        a[i] = pi2 * i + half + n;
    for (int i = 0; i < SIZE; i++)
        printf("%g ", a[i]);
    printf("\n");
    return 0;
}
