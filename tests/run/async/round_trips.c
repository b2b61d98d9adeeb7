// Short arrays that come back from the device and go there again without the host waiting in between: in one queue, and from one
// queue to another.
#include <stdio.h>

enum { N = 500 };

int main(void)
{
    static double a[N], b[N], c[3][N];
#pragma acc parallel loop copy(a) async(2)
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel loop copy(a) async(2)
    for (int i = 0; i < N; i++)
        a[i] *= 2;
#pragma acc parallel loop copyin(a) copyout(b) wait(2) async(3)
    for (int i = 0; i < N; i++)
        b[i] = a[i] + 1;
#pragma acc enter data copyin(b) async(3)
#pragma acc parallel loop present(b) async(3)
    for (int i = 0; i < N; i++)
        b[i] *= 10;
#pragma acc update self(b[100:50]) async(3)
#pragma acc exit data copyout(b) async(3)
    for (int k = 0; k < 90; k++) {
#pragma acc parallel loop copy(c[k % 3]) async(k % 3)
        for (int i = 0; i < N; i++)
            c[k % 3][i] = c[k % 3][i] + k + i;
    }
#pragma acc wait
#pragma acc parallel loop copy(a)
    for (int i = 0; i < N; i++)
        a[i] += b[i];
    printf("%g %g %g\n", a[1], a[120], a[N - 1]);
    printf("%g %g %g\n", c[0][7], c[1][N - 1], c[2][0]);
    return 0;
}
