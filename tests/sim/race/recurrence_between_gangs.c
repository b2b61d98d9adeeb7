// The same between gangs, of one lane each.
// finds: race
// finds: of 'a'
#include <stdio.h>

int main(void)
{
    int a[100] = {0};
#pragma acc parallel loop gang num_gangs(100) copy(a)
    for (int i = 1; i < 100; i++)
        a[i] = a[i - 1] + i; // found here
    printf("%d\n", a[3]);
}
