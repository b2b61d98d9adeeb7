// copyout(zero:) and create(zero:) start with zeroed device memory.
// modes: discrete gpu (with shared memory the host's own bytes are in place)
// expect-output: zero_modifier.expect
#include <stdio.h>

int main(void)
{
    int a[10], b[10], out[10];
    for (int i = 0; i < 10; i++)
        a[i] = b[i] = 77;
#pragma acc parallel loop copyout(zero: a) copyout(out) create(zero: b)
    for (int i = 0; i < 10; i++) {
        if (i % 2)
            a[i] = i;
        out[i] = b[i];
    }
#pragma acc enter data create(zero: b)
#pragma acc exit data copyout(b)
    for (int i = 0; i < 10; i++)
        printf("%d %d %d\n", a[i], b[i], out[i]);
    return 0;
}
