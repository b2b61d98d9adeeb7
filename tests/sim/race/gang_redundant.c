// Code outside of gang loops is executed by every gang.
// finds: race
// finds: of 'calls'
#include <stdio.h>

int main(void)
{
    int calls[1] = {0};
#pragma acc parallel num_gangs(8) copy(calls)
    {
        calls[0] += 1; // found here
    }
    printf("%d\n", calls[0]);
}
