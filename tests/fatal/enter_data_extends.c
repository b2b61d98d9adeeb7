// enter data on a whole of which a part is mapped.
#include <stdio.h>

int main(void)
{
    int a[30] = {0};
#pragma acc enter data copyin(a[10:5])
#pragma acc enter data copyin(a)
    printf("not reached %d\n", a[0]);
    return 0;
}
