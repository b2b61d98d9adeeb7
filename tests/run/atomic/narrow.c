// Objects smaller than int, pointers and shifts.
#include <stdbool.h>
#include <stdio.h>

int main(void)
{
    unsigned char byte = 250;
    signed char small = 0;
    short half = -5;
    bool any = false;
    unsigned shifted = 1, product = 1;
    int *end;
    int numbers[100];
    end = numbers;
#pragma acc parallel loop copy(byte, small, half, any, shifted, product) copy(end)
    for (int i = 0; i < 30; i++) {
#pragma acc atomic
        byte += i;
#pragma acc atomic
        small--;
#pragma acc atomic
        half = half - i;
#pragma acc atomic
        any |= i == 17;
#pragma acc atomic
        shifted <<= 1;
#pragma acc atomic
        product *= 3;
#pragma acc atomic
        end++;
    }
    printf("%d %d %d %d %u %u %d\n", byte, small, half, any, shifted, product, (int)(end - numbers));
    return 0;
}
