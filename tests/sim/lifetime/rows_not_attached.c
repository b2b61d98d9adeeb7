// An array of pointers to rows: the pointers are copied, the rows are not.
// finds: not device memory: read of 4 bytes
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    float *rows[8], sum = 0;
    for (int i = 0; i < 8; i++)
        rows[i] = calloc(32, sizeof **rows);
#pragma acc parallel loop collapse(2) copyin(rows) reduction(+ : sum)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 32; j++)
            sum += rows[i][j]; // found here
    printf("%g\n", sum);
}
