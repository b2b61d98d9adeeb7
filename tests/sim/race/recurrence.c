// Each iteration needs the one before: the loop is not parallel.
// finds: race: read of 4 bytes at byte
// finds: of 'a'
#include <stdio.h>

int main(void)
{
    int a[1000] = {0};
#pragma acc parallel loop copy(a)
    for (int i = 1; i < 1000; i++)
        a[i] = a[i - 1] + i; // found here
    printf("%d\n", a[3]);
}
