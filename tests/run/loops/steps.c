// Steps larger than one, by a variable, written as i += s, i = i + s, i = s + i.
// launches: 4
#include <stdio.h>

int main(void)
{
    int a[100] = {0}, s = 7;
#pragma acc parallel loop copy(a)
    for (int i = 1; i < 100; i += 3)
        a[i] += 1;
#pragma acc parallel loop copy(a)
    for (int i = 2; i <= 98; i = i + s)
        a[i] += 10;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 100; i = 5 + i)
        a[i] += 100;
#pragma acc parallel loop copy(a)
    for (int i = 99; i > 0; i = i - s)
        a[i] += 1000;
    for (int i = 0; i < 100; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
