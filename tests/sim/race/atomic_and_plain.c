// One of two accesses to the counter is not atomic.
// finds: race
// finds: of 'used'
#include <stdio.h>

int main(void)
{
    int list[256], used[1] = {0};
#pragma acc parallel loop copy(used) copyout(list)
    for (int i = 0; i < 256; i++) {
        list[i] = used[0]; // found here
#pragma acc atomic update // found here
        used[0]++;
    }
    printf("%d\n", list[3]);
}
