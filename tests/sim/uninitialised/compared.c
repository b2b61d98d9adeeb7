// A copy is no use, but a comparison with the copy is.
// finds: uninitialised: read of 4 bytes
// finds: of 'b' (400 bytes)
#include <stdio.h>

int main(void)
{
    int a[100], b[100], larger = 0;
#pragma acc data create(a, b)
    {
#pragma acc parallel loop
        for (int i = 0; i < 100; i++)
            b[i] = a[i];
#pragma acc parallel loop reduction(+ : larger)
        for (int i = 0; i < 100; i++)
            if (b[i] > 3) // found here
                larger++;
    }
    printf("%d\n", larger);
}
