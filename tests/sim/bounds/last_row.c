// The neighbour below the last row.
// finds: out of bounds: read of 4 bytes
// finds: 'm'
#include <stdio.h>

enum { ROWS = 12, COLUMNS = 40 };
float m[ROWS][COLUMNS], below[ROWS][COLUMNS];

// gcc sees it too, in the statement it would run on the host.
#pragma GCC diagnostic ignored "-Wstringop-overread"
int main(void)
{
#pragma acc parallel loop collapse(2) copyin(m) copyout(below)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            below[i][j] = m[i + 1][j]; // found here
    printf("%g\n", below[1][2]);
}
