// The pointer in a linked struct still leads to data that was deleted.
// finds: use of freed memory: read of 4 bytes at byte
// finds: of 'values[0:20]' (80 bytes)
#include <stdio.h>
#include <stdlib.h>

struct list {
    int *values;
};

int main(void)
{
    struct list l;
    int *values = calloc(20, sizeof *values), sum = 0;
    l.values = values;
#pragma acc enter data copyin(l)
#pragma acc enter data copyin(values[0:20])
#pragma acc enter data attach(l.values)
#pragma acc exit data delete(values[0:20])
#pragma acc parallel loop present(l) reduction(+ : sum)
    for (int i = 0; i < 20; i++)
        sum += l.values[i]; // found here
    printf("%d\n", sum);
}
