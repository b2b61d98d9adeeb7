// A pointer to something that is no function of the file, on devices behind OpenCL, which have no assertions of their own: the program ends as by
// `assert`.
// modes: opencl opencl-cores (others have assertions)
// status: 134
#include <stdio.h>

static int one(int x) { return x + 1; }
static int (*table[2])(int) = {one, (int (*)(int))64};

int main(void)
{
    int a[10];
#pragma acc parallel loop copyin(table) copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = table[i / 5](i);
    printf("not reached %d\n", a[3]);
    return 0;
}
