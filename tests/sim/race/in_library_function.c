// A copy that is longer than the distance of its targets: memcpy has no lines, so the message names that of the call.
// finds: race: write of
// finds: of 'to' (900 bytes)
// finds: in function memcpy
#include <stdio.h>
#include <string.h>

int main(void)
{
    char from[900] = {0}, to[900];
#pragma acc parallel loop copyin(from) copyout(to)
    for (int i = 0; i < 100; i++)
        memcpy(to + 8 * i, from + 8 * i, 9 + i % 8); // found here
    printf("%d\n", to[3]);
}
