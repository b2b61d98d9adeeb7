// Variables that the host sets to unsigned constants, converted to floating-point numbers.
// launches: 2
#include <stdio.h>

int main(void)
{
    double out[6], whole = 4294967295u, largest = ~0ul, minus = -1;
    float narrow = (unsigned char)-1, half = 0x80000000u;
    static const double table[3] = {(unsigned short)-2, 3000000000u, -5};
#pragma acc parallel loop copyout(out[0:5])
    for (int i = 0; i < 1; i++) {
        out[0] = whole;
        out[1] = largest;
        out[2] = minus;
        out[3] = narrow;
        out[4] = half;
    }
#pragma acc parallel loop copy(out)
    for (int i = 0; i < 1; i++)
        out[5] = table[0] + 2 * table[1] + table[2];
    for (int i = 0; i < 6; i++)
        printf("%.17g\n", out[i]);
    return 0;
}
