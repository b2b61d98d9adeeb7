// puts and putchar in kernels behind OpenCL.
// modes: opencl (where the text is made is printed)
// expect-output: puts_on_opencl.expect
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int codes[5] = {'a', 'b', 'c', 300, '%'}, last = 0;
    puts("before, on the host");
#pragma acc serial copyin(codes) copy(last)
    {
        if (acc_on_device(acc_device_opencl))
            puts("on the device");
        puts("100 % \"of\" it\\");
        for (int i = 0; i < 5; i++)
            last = putchar(codes[i]);
        putchar('\n');
        puts("");
    }
    printf("behind: %d\n", last);
    return 0;
}
