// Two translation units, each with regions and a static function of the same name.
// with: two_units_other.part.c
// launches: 2
#include <stdio.h>

void other(int *a, int n);

static int scale(int x) { return x * 2; }

int main(void)
{
    int a[10];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = scale(i);
    other(a, 10);
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
