// A loop inside that has a private object of the outer loop's variable, and changes it;
// without directives it is the loop's, and gets its value back.
// launches: 1
#include <stdio.h>

#define N 40

int main(void)
{
    int a[N][N];
#pragma acc parallel loop gang copyout(a)
    for (int i = 0; i < N; i++) {
        int row = i;
#pragma acc loop vector private(i)
        for (int j = 0; j < N; j++) {
            i = j * 3;
            a[row][j] = row + i;
            i = row;
        }
        a[i][0] += i;
    }
    long s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s = (s * 5 + a[i][j]) % 1000003;
    printf("%ld\n", s);
    return 0;
}
