// The first kernel fills the even elements only.
// finds: uninitialised: read of 4 bytes at byte
// finds: of 'a' (400 bytes)
#include <stdio.h>

int main(void)
{
    int a[100], b[100];
#pragma acc data create(a) copyout(b)
    {
#pragma acc parallel loop
        for (int i = 0; i < 100; i += 2)
            a[i] = i;
#pragma acc parallel loop
        for (int i = 0; i < 100; i++)
            b[i] = 2 * a[i]; // found here
    }
    printf("%d\n", b[3]);
}
