// collapse(3), as one clause and as collapse(2) around a vector loop.
// launches: 2
#include <stdio.h>

int main(void)
{
    static int a[7][5][9], b[7][5][9];
#pragma acc parallel loop collapse(3) copyout(a)
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 9; k++)
                a[i][j][k] = (i * 5 + j) * 9 + k;
#pragma acc parallel loop gang collapse(2) copyin(a) copyout(b)
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 5; j++) {
            int last = a[i][j][8];
#pragma acc loop vector
            for (int k = 0; k < 9; k++)
                b[i][j][k] = a[i][j][8 - k] - last;
        }
    int bad = 0, sum = 0;
    for (int n = 0; n < 7 * 5 * 9; n++) {
        bad += (&a[0][0][0])[n] != n;
        sum += (&b[0][0][0])[n] * (n % 11);
    }
    printf("%d %d\n", bad, sum);
    return 0;
}
