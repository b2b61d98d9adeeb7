// Parts of arrays in the reduction clause of a compute construct: each gang's own updates and those of loops inside are reduced,
// other elements are as they are (2.5.15).
#include <stdio.h>

enum { FIRST = 3 };

int main(void)
{
    int a[30] = {0}, most[8], n = 5, gangs = 0;
    double d[2][6] = {{0}};
    float one[4] = {1, 2, 3, 4};
    for (int i = 0; i < 8; i++)
        most[i] = i;
#pragma acc parallel num_gangs(4) reduction(+ : a[FIRST : 2 * 3], gangs) copyin(n)
    {
        gangs++;
        a[FIRST] += 1;
#pragma acc loop gang vector reduction(+ : a[FIRST : 6])
        for (int i = 0; i < 1000; i++)
            a[FIRST + i % 6] += i;
    }
    a[FIRST] -= gangs - 1;
#pragma acc parallel reduction(+ : a[n + 5 : n])
    {
#pragma acc loop gang worker
        for (int i = 0; i < 1000; i++)
            a[10 + i % 5] += i;
    }
#pragma acc parallel reduction(max : most[2 : 4]) num_gangs(3)
    {
#pragma acc loop gang
        for (int i = 0; i < 90; i++) {
#pragma acc loop vector
            for (int j = 0; j < 50; j++)
                if (most[2 + j % 4] < i * j % 83)
                    most[2 + j % 4] = i * j % 83;
        }
    }
#pragma acc parallel reduction(+ : d[1 : 1][0 : 6])
    {
#pragma acc loop gang vector
        for (int i = 0; i < 600; i++)
            d[1][i % 6] += i * 0.5;
    }
#pragma acc serial reduction(* : one[1 : 2])
    {
        for (int i = 0; i < 5; i++)
            one[1 + i % 2] *= 2;
    }
#pragma acc kernels copy(a)
    {
#pragma acc loop reduction(+ : a[20 : 2])
        for (int i = 0; i < 300; i++)
            a[20 + i % 2] += i;
    }
    for (int i = 0; i < 30; i++)
        printf("%d ", a[i]);
    for (int i = 0; i < 8; i++)
        printf("%d ", most[i]);
    for (int i = 0; i < 12; i++)
        printf("%g ", d[i / 6][i % 6]);
    printf("%g %g %g %g\n", one[0], one[1], one[2], one[3]);
    return 0;
}
