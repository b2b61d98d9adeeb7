// num_gangs, num_workers and vector_length by constant, variable and expression.
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[500], n = 7;
    unsigned char w = 3;
#pragma acc parallel loop gang num_gangs(10) copyout(a)
    for (int i = 0; i < 500; i++)
        a[i] = i;
#pragma acc parallel num_gangs(n) num_workers(w + 1) vector_length(n * 4) copy(a)
    {
#pragma acc loop gang worker vector
        for (int i = 0; i < 500; i++)
            a[i] = a[i] * 2 + 1;
    }
#pragma acc kernels loop num_gangs(n - 6) copy(a)
    for (int i = 0; i < 500; i++)
        a[i] -= i;
    int s = 0;
    for (int i = 0; i < 500; i++)
        s += a[i] * (i & 1);
    printf("%d\n", s + w - 3);
    return 0;
}
