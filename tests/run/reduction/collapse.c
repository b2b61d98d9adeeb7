// A reduction on a collapsed nest.
#include <stdio.h>

int main(void)
{
    double s = 0;
    int m = 0;
    static float a[20][30][10];
    for (int i = 0; i < 6000; i++)
        (&a[0][0][0])[i] = (float)(i % 100);
#pragma acc parallel loop collapse(3) copyin(a) reduction(+:s) reduction(max:m)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
            for (int k = 0; k < 10; k++) {
                s += a[i][j][k];
                int v = i * j - k;
                if (v > m)
                    m = v;
            }
    printf("%g %d\n", s, m);
    return 0;
}
