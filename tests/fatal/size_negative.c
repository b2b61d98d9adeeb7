// A vector length that is negative at run time.
// modes: shared sim (on each)
#include <stdio.h>

int main(int argc, char **argv)
{
    int a[10], length = -argc;
#pragma acc parallel loop vector_length(length) copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = i;
    printf("not reached\n");
    return 0;
}
