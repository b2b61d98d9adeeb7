// async and wait on structured data regions.
// launches: 3
#include <stdio.h>

int main(void)
{
    static int a[500], b[500];
    for (int i = 0; i < 500; i++)
        a[i] = i;
#pragma acc data copyin(a) copyout(b) async(1)
    {
#pragma acc parallel loop async(1) present(a, b)
        for (int i = 0; i < 500; i++)
            b[i] = a[i] + 7;
    }
#pragma acc wait(1)
    int s = 0;
    for (int i = 0; i < 500; i++)
        s += b[i];
#pragma acc parallel loop copy(b) async(2)
    for (int i = 0; i < 500; i++)
        b[i] *= 2;
#pragma acc data copy(b) wait(2)
    {
#pragma acc parallel loop present(b)
        for (int i = 0; i < 500; i++)
            b[i] += 1;
    }
    printf("%d %d\n", s, b[499]);
    return 0;
}
