// Numbers of gangs, workers and lanes that are 0 at run time: as many as the device chooses.
// launches: 4
#include <stdio.h>

int main(int argc, char **argv)
{
    int a[100], none = argc - 1;
#pragma acc parallel loop num_gangs(none) copyout(a)
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma acc parallel num_gangs(4) num_workers(none) vector_length(none) copy(a)
    {
#pragma acc loop gang worker vector
        for (int i = 0; i < 100; i++)
            a[i] *= 2;
    }
#pragma acc kernels loop gang(none) vector(none) copy(a)
    for (int i = 0; i < 100; i++)
        a[i] += 1;
    int sum = 0;
#pragma acc parallel loop num_gangs(none) reduction(+ : sum) copyin(a)
    for (int i = 0; i < 100; i++)
        sum += a[i];
    printf("%d %d\n", a[99], sum);
    return 0;
}
