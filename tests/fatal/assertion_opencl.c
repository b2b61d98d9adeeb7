// A failing assertion in a kernel behind OpenCL: which of several it is.
// modes: opencl opencl-cores (others have assertions)
// status: 134
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a[1000], last = 999;
#pragma acc parallel loop copyout(a) async(2)
    for (int i = 0; i < 1000; i++) {
        assert(i >= 0);
        a[i] = i > 3 ? i : -i;
        assert(a[i] != last && "the ? and \\ of a message");
    }
#pragma acc wait
    printf("not reached %d\n", a[3]);
    return 0;
}
