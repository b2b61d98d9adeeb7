// A pointer to something that is no function of the file.
// finds: a pointer leads to a function whose address this file takes
// status: 134
#include <stdio.h>

static int one(int x) { return x + 1; }
static int (*table[2])(int) = {one, (int (*)(int))64};

int main(void)
{
    int a[10];
#pragma acc parallel loop copyin(table) copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = table[i / 5](i); // found here
    printf("%d\n", a[3]);
    return 0;
}
