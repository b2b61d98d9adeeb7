// An array of pointers whose rows are mapped and attached one by one.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *row[6];
#pragma acc enter data create(row)
    for (int i = 0; i < 6; i++) {
        row[i] = malloc((unsigned)(i + 1) * sizeof(int));
#pragma acc enter data create(row[i][0:i + 1])
    }
#pragma acc parallel loop gang present(row)
    for (int i = 0; i < 6; i++) {
        int *p = row[i];
        for (int k = 0; k <= i; k++)
            p[k] = i * 10 + k;
    }
    for (int i = 0; i < 6; i++) {
#pragma acc exit data copyout(row[i][0:i + 1])
    }
#pragma acc exit data delete(row)
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k <= i; k++)
            printf("%d ", row[i][k]);
        free(row[i]);
    }
    printf("\n");
    return 0;
}
