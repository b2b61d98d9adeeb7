// A structured data region inside the dynamic lifetime of the same data, and the reverse.
// modes: discrete gpu (with shared memory there is only one copy)
// expect-output: structured_inside_dynamic.expect
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[2] = {1, 2}, b[2] = {3, 4};
#pragma acc enter data copyin(a)
#pragma acc data copy(a)
    {
#pragma acc serial
        a[0] = 10;
    }
    printf("%d\n", a[0]);
#pragma acc exit data copyout(a)
    printf("%d\n", a[0]);
#pragma acc data copy(b)
    {
#pragma acc enter data copyin(b)
#pragma acc serial
        b[1] = 40;
#pragma acc exit data copyout(b)
        printf("%d\n", b[1]);
    }
    printf("%d\n", b[1]);
    return 0;
}
