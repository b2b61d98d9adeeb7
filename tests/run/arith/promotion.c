// Integer promotion: char arithmetic happens in int, unsigned wins at equal rank, long beats unsigned.
#include <stdio.h>

int main(void)
{
    unsigned char x = 200, y = 100;
    signed char m = -1;
    unsigned u = 1;
    long l = -1;
    int r[10];
#pragma acc serial copyout(r)
    {
        r[0] = x + y;
        r[1] = (unsigned char)(x + y);
        r[2] = x - y - y - y;
        r[3] = ~x;
        r[4] = -x;
        r[5] = m < u;
        r[6] = l < u;
        r[7] = m == (unsigned char)255;
        r[8] = !x;
        r[9] = (m >> 1) + (x << 2);
    }
    for (int i = 0; i < 10; i++)
        printf("%d\n", r[i]);
    return 0;
}
