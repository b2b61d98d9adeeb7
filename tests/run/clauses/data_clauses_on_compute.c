// copy, copyin, copyout, create on one construct; copyin data changed on the device stays there.
#include <stdio.h>

int main(void)
{
    int a[16], b[16], c[16], tmp[16];
    for (int i = 0; i < 16; i++)
        a[i] = b[i] = i;
#pragma acc parallel loop gang copy(a) copyin(b) copyout(c) create(tmp)
    for (int i = 0; i < 16; i++) {
        tmp[i] = a[i] + b[i];
        a[i] = tmp[i] * 2;
        c[i] = -tmp[i];
    }
    for (int i = 0; i < 16; i++)
        printf("%d %d %d\n", a[i], b[i], c[i]);
    return 0;
}
