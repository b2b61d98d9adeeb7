// present asks for elements in front of what is mapped.
#include <stdio.h>

int main(void)
{
    int a[30] = {0};
#pragma acc enter data copyin(a[10:20])
#pragma acc parallel loop present(a[5:10])
    for (int i = 5; i < 15; i++)
        a[i] = i;
    printf("not reached\n");
    return 0;
}
