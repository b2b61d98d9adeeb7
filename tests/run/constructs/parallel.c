// A parallel region with one gang: straight-line code, loops, and mapped data.
#include <stdio.h>

int main(void)
{
    int a[10], n = 10, done = 0;
#pragma acc parallel num_gangs(1) num_workers(1) vector_length(1) copyout(a) copy(done)
    {
        int step = 3;
        for (int i = 0; i < n; i++)
            a[i] = i * step;
        a[0] = -1;
        done = 1;
    }
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("%d\n", done);
    return 0;
}
