// A kernel that calls abort.
// finds: in function abort
// status: 134
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int value[40];
    for (int i = 0; i < 40; i++)
        value[i] = i;
#pragma acc parallel loop copy(value)
    for (int i = 0; i < 40; i++) {
        if (value[i] == 21)
            abort(); // found here
        value[i] *= 2;
    }
    printf("%d\n", value[3]);
}
