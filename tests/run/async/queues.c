// Independent work on several queues, joined by wait with a list.
// launches: 8
#include <stdio.h>

#define N 200

int main(void)
{
    static int a[4][N];
#pragma acc enter data create(a)
    for (int q = 0; q < 4; q++) {
#pragma acc parallel loop async(q) present(a)
        for (int i = 0; i < N; i++)
            a[q][i] = q * 1000 + i;
#pragma acc parallel loop async(q) present(a)
        for (int i = 0; i < N; i++)
            a[q][i] *= 2;
    }
#pragma acc wait(0, 1)
#pragma acc wait(2) 
#pragma acc wait(3)
#pragma acc exit data copyout(a)
    long s = 0;
    for (int q = 0; q < 4; q++)
        for (int i = 0; i < N; i++)
            s = s * 3 % 1000003 + a[q][i];
    printf("%ld\n", s);
    return 0;
}
