// A subscript that never had a value.
// finds: uninitialised: read of 4 bytes
// finds: of 'list' (40 bytes)
#include <stdio.h>

int main(void)
{
    int list[10], a[10];
#pragma acc parallel loop create(list) copyout(a)
    for (int i = 0; i < 10; i++)
        a[list[i] % 10] = i; // found here
    printf("%d\n", a[3]);
}
