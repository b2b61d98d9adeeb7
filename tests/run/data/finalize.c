// exit data finalize ends all dynamic references at once.
// modes: discrete gpu (with shared memory there is only one copy)
// expect-output: finalize.expect
#include <stdio.h>

int main(void)
{
    int a[2] = {1, 2};
#pragma acc enter data copyin(a)
#pragma acc enter data create(a)
#pragma acc enter data create(a)
#pragma acc serial present(a)
    a[0] = a[1] = 7;
#pragma acc exit data copyout(a) finalize
    printf("%d %d\n", a[0], a[1]);
#pragma acc enter data copyin(a)
    a[0] = 99;
#pragma acc exit data delete(a) finalize
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
