// Loops without directives in `kernels`, over unsigned variables that go round the end of their type before they are at their bound.
#include <stdio.h>

int main(void)
{
    static int a[256];
    int n = 3;
    unsigned end = -1u;
    unsigned char stop = 4;
    #pragma acc kernels loop independent copy(a)
    for (unsigned i = n; i > 0; i--)
        for (int j = 0; j < 32; j++)
            for (unsigned k = 2u; k != -1u; --k)
                a[(i - 1) * 32 + j] += k + 1;
    #pragma acc kernels copy(a)
    {
        for (unsigned k = 5; k != end; k--)
            a[100 + k] += 7;
        for (unsigned char k = 250; k != stop; k++)
            a[k] += k;
        for (unsigned short k = 65530; k != 4; k += 2)
            a[110 + k / 8192] += k;
        for (unsigned k = 0; k != end + n; k++)
            a[120 + k] = k + 9;
    }
    for (int i = 0; i < 256; i++)
        printf("%d ", a[i]);
    printf("\n");
}
