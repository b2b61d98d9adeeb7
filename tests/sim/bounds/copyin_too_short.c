// The section is one element too short.
// finds: out of bounds: read of 4 bytes just past the end of 'a[0:99]'
#include <stdio.h>

int main(void)
{
    float a[100] = {0}, b[100];
#pragma acc parallel loop copyin(a[0:99]) copyout(b)
    for (int i = 0; i < 100; i++)
        b[i] = 2 * a[i]; // found here
    printf("%g\n", b[99]);
}
