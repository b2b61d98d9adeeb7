// `independent` is a promise, and here it is not kept: two iterations write each element.
// finds: race: write of 4 bytes
// finds: of 'a'
#include <stdio.h>

int main(void)
{
    int a[100] = {0};
#pragma acc kernels copy(a)
    {
#pragma acc loop independent
        for (int i = 0; i < 200; i++)
            a[i / 2] = i; // found here
    }
    printf("%d\n", a[3]);
}
