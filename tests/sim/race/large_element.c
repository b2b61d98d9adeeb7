// A large element, found without a reduction: what is kept is not what was compared.
// finds: race
// finds: of 'largest'
#include <stdio.h>

int main(void)
{
    double a[700], largest[1] = {0};
    for (int i = 0; i < 700; i++)
        a[i] = i * 37 % 700;
#pragma acc parallel loop copyin(a) copy(largest)
    for (int i = 0; i < 700; i++)
        if (a[i] > largest[0]) // found here
            largest[0] = a[i] / 2; // found here
    printf("%g\n", largest[0]);
}
