// Only the first half of what was created is ever filled.
// finds: uninitialised: read of 4 bytes at byte
// finds: of 'a' (400 bytes)
#include <stdio.h>

int main(void)
{
    int a[100] = {0}, sum = 0;
#pragma acc enter data create(a)
#pragma acc update device(a[0:50])
#pragma acc parallel loop present(a) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += a[i]; // found here
#pragma acc exit data delete(a)
    printf("%d\n", sum);
}
