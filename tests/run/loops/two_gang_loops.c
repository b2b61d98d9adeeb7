// Two gang loops in one parallel region on different data; nowhere a barrier between them is needed.
#include <stdio.h>

#define N 200

int main(void)
{
    int a[N], b[N];
#pragma acc parallel copyout(a, b)
    {
#pragma acc loop gang
        for (int i = 0; i < N; i++)
            a[i] = i * 3;
#pragma acc loop gang vector
        for (int i = 0; i < N; i++)
            b[i] = N - i;
    }
    int s = 0;
    for (int i = 0; i < N; i++)
        s += a[i] * b[i] % 7;
    printf("%d\n", s);
    return 0;
}
