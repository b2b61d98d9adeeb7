// A value that is printed is used.
// finds: uninitialised: read of 4 bytes
#include <stdio.h>

int main(void)
{
    int a[10];
#pragma acc parallel loop create(a)
    for (int i = 0; i < 10; i++)
        printf("%d\n", a[i]); // found here
}
