// Whole arrays, as names and as sections, reduced by a construct itself with loops over gangs inside; part of one by a combined construct.
#include <stdio.h>

int main(void)
{
    int a[10] = {0}, b[3][4] = {{0}}, most[5] = {0};
    double d[6] = {1, 1, 1, 1, 1, 1};
#pragma acc parallel reduction(+ : a[0 : 10])
    {
#pragma acc loop gang
        for (int i = 0; i < 1000; i++)
            a[i % 10] += i;
    }
#pragma acc parallel reduction(+ : b) reduction(* : d[0 : 6])
    {
#pragma acc loop gang vector
        for (int i = 0; i < 600; i++) {
            b[i % 3][i % 4] += i;
            if (i % 100 == 0)
                d[1 + i / 100 % 3] *= 2;
        }
    }
#pragma acc parallel loop reduction(max : most[1 : 3])
    for (int i = 0; i < 500; i++)
        if (most[1 + i % 3] < i * 7 % 501)
            most[1 + i % 3] = i * 7 % 501;
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    for (int i = 0; i < 12; i++)
        printf("%d ", b[i / 4][i % 4]);
    for (int i = 0; i < 6; i++)
        printf("%g ", d[i]);
    for (int i = 0; i < 5; i++)
        printf("%d ", most[i]);
    printf("\n");
    return 0;
}
