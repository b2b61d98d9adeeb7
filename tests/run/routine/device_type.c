// The level may differ by device type; what no device type names is for all.
#include <stdio.h>

#pragma acc routine device_type(nvidia) vector device_type(*) seq
static int sum(const int *row, int n)
{
    int total = 0;
#pragma acc loop reduction(+ : total) device_type(nvidia) vector device_type(*) seq
    for (int j = 0; j < n; j++)
        total += row[j];
    return total;
}

int main(void)
{
    int a[30][20], totals[30], check = 0;
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 20; j++)
            a[i][j] = i * j;
#pragma acc parallel loop copyin(a) copyout(totals)
    for (int i = 0; i < 30; i++)
        totals[i] = sum(a[i], 20);
    for (int i = 0; i < 30; i++)
        check += totals[i] == 190 * i;
    printf("%d\n", check);
    return 0;
}
