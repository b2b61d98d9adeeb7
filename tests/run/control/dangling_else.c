// A compute construct as the unbraced body of if: the following else belongs to the user's if.
// launches: 4
#include <stdio.h>

static void f(int *a, int which)
{
    if (which)
#pragma acc parallel loop copy(a[0:10])
        for (int i = 0; i < 10; i++)
            a[i] += 1;
    else
#pragma acc parallel loop copy(a[0:10])
        for (int i = 0; i < 10; i++)
            a[i] += 100;

    if (which > 0)
        if (which > 1)
#pragma acc serial copy(a[0:10])
            a[0] = 7;
        else
            a[1] = 8;
}

int main(void)
{
    int a[10] = {0};
    f(a, 0);
    f(a, 1);
    f(a, 2);
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
