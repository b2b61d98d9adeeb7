// The first iteration looks at the element before the first.
// finds: out of bounds: read of 4 bytes 4 bytes before 'a'
#include <stdio.h>

int main(void)
{
    int a[64] = {0}, b[64];
#pragma acc parallel loop copyin(a) copyout(b)
    for (int i = 0; i < 64; i++)
        b[i] = a[i] - a[i - 1]; // found here
    printf("%d\n", b[63]);
}
