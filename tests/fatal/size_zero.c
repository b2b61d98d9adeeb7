// A number of gangs that is 0 at run time.
// modes: shared discrete sim (on each)
#include <stdio.h>

int main(int argc, char **argv)
{
    int a[10], none = argc - 1;
#pragma acc parallel loop num_gangs(none) copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = i;
    printf("not reached\n");
    return 0;
}
