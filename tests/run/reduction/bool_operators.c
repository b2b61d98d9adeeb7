// Reductions with |, & and max on _Bool.
#include <stdbool.h>
#include <stdio.h>

int main(void)
{
    bool any = false, all = true, none = false;
#pragma acc parallel loop reduction(|:any) reduction(&:all) reduction(|:none)
    for (int i = 0; i < 200; i++) {
        any |= i == 150;
        all &= i < 1000;
        none |= i > 1000;
    }
    printf("%d %d %d\n", any, all, none);
    return 0;
}
