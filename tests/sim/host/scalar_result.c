// The loop ends when the device says so, but the host looks at its own copy of the number.
// finds: stale: read of 4 bytes at byte 0 of 'count' (4 bytes) by the host
// cflags: -g -fsanitize=thread

#include <stdio.h>

int count = 100;

int main(void)
{
    int rounds = 0;

#pragma acc data copy(count)
    while (count > 0 && rounds < 1000) { // found here
#pragma acc parallel num_gangs(1) present(count)
        count -= 10; // found here
        rounds++;
    }
    printf("%d\n", rounds);
    return 0;
}
