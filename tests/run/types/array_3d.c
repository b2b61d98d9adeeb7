// Three-dimensional arrays and a pointer to a plane.
// launches: 2
#include <stdio.h>

int main(void)
{
    static short a[5][6][7];
    int plane[5];
#pragma acc parallel loop collapse(3) copyout(a)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 7; k++)
                a[i][j][k] = (short)(i * 100 + j * 10 + k);
#pragma acc parallel loop copyin(a) copyout(plane)
    for (int i = 0; i < 5; i++) {
        const short(*p)[7] = a[i];
        plane[i] = p[5][6] + (*(p + 1))[2] + **p + (int)(sizeof a[0] / sizeof **p);
    }
    for (int i = 0; i < 5; i++)
        printf("%d %d\n", plane[i], a[i][5][6]);
    return 0;
}
