// Two loops in one parallel construct: gangs do not wait for each other in between.
// finds: race
// finds: of 'b'
#include <stdio.h>

int main(void)
{
    int a[2000], b[2000] = {0};
#pragma acc parallel copyout(a) copyin(b)
    {
#pragma acc loop gang vector
        for (int i = 0; i < 2000; i++)
            b[i] = i; // found here
#pragma acc loop gang vector
        for (int i = 0; i < 2000; i++)
            a[i] = b[1999 - i]; // found here
    }
    printf("%d\n", a[3]);
}
