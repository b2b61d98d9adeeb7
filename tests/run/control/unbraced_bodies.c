// Directives as unbraced bodies of for, while, do, switch labels and goto labels.
// launches: 9
#include <stdio.h>

int main(void)
{
    int a[4] = {0}, k = 0;
    for (int t = 0; t < 3; t++)
#pragma acc parallel loop copy(a)
        for (int i = 0; i < 4; i++)
            a[i] += i;
    while (k++ < 2)
#pragma acc serial copy(a)
        a[0] += 10;
    do
#pragma acc serial copy(a)
        a[1] += 1000;
    while (k++ < 4);
    switch (k) {
    case 5:
#pragma acc serial copy(a)
        a[2] += 5;
        break;
    default:
#pragma acc serial copy(a)
        a[2] += 50;
    }
    goto there;
there:
#pragma acc serial copy(a)
    a[3] *= 2;
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], k);
    return 0;
}
