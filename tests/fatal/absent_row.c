// One row of a dynamic two-dimensional array is not mapped.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    float *row[3];
    for (int i = 0; i < 3; i++)
        row[i] = calloc(8, sizeof(float));
#pragma acc enter data create(row)
    for (int i = 0; i < 2; i++) {
#pragma acc enter data copyin(row[i][0:8])
    }
#pragma acc parallel loop present(row[0:3][0:8])
    for (int i = 0; i < 3; i++)
        row[i][0] = 1;
    printf("not reached\n");
    return 0;
}
