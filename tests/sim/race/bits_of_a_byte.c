// Bits of one byte, set by different iterations.
// finds: race: write of 1 byte at byte
// finds: of 'bits'
#include <stdio.h>

int main(void)
{
    unsigned char bits[32] = {0};
#pragma acc parallel loop copy(bits)
    for (int i = 0; i < 256; i++)
        bits[i / 8] |= 1 << i % 8; // found here
    printf("%d\n", bits[3]);
}
