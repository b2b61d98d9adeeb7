// The loops of a collapse(2) run over each other's bounds.
// finds: out of bounds: write of 8 bytes
// finds: 'm[0:rows*columns]'
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int rows = 8, columns = 50;
    double *m = malloc(rows * columns * sizeof *m);
#pragma acc parallel loop collapse(2) copyout(m[0:rows*columns])
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < rows; j++)
            m[i * columns + j] = i + j; // found here
    printf("%g\n", m[3]);
}
