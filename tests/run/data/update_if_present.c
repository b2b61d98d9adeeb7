// update if_present skips data that is not on the device.
// launches: 1
#include <stdio.h>

static void refresh(int *a, int n)
{
#pragma acc update self(a[0:n]) if_present
}

int main(void)
{
    int a[8] = {0}, b[8] = {1, 2, 3};
    refresh(b, 8);
#pragma acc enter data copyin(a)
#pragma acc parallel loop present(a)
    for (int i = 0; i < 8; i++)
        a[i] = i + 5;
    refresh(a, 8);
    refresh(b, 3);
#pragma acc exit data delete(a)
    printf("%d %d %d\n", a[0], a[7], b[2]);
    return 0;
}
