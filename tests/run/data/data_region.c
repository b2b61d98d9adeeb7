// A data region around several compute regions and host code.
// launches: 5
#include <stdio.h>

#define N 100

int main(void)
{
    int a[N], b[N], tmp[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc data copyin(a) copyout(b) create(tmp)
    {
        int rounds = 2;
        for (int t = 0; t < rounds; t++) {
#pragma acc parallel loop present(a, tmp)
            for (int i = 0; i < N; i++)
                tmp[i] = a[N - 1 - i] + t;
#pragma acc parallel loop present(tmp, a)
            for (int i = 0; i < N; i++)
                a[i] = tmp[i] * 2;
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            b[i] = a[i] + tmp[i];
    }
    int s = 0;
    for (int i = 0; i < N; i++)
        s += b[i] * (i + 1);
    printf("%d\n", s);
    return 0;
}
