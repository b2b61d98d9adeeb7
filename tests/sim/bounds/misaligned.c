// A header of one byte makes the numbers behind it misaligned: GPUs cannot read them in one piece.
// finds: misaligned address: read of 4 bytes at byte
// finds: of 'packet'
#include <stdio.h>

int main(void)
{
    char packet[1 + 4 * 25] = {0};
    int sum = 0;
#pragma acc parallel loop copyin(packet) reduction(+ : sum)
    for (int i = 0; i < 25; i++) {
        const int *numbers = (const int *)(packet + 1);
        sum += numbers[i]; // found here
    }
    printf("%d\n", sum);
}
