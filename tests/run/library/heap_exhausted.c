// Too much memory is asked for: malloc, calloc and realloc give NULL, and the old block stays.
// cflags: -Wno-alloc-size-larger-than
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int r[5] = {0};
    size_t huge = (size_t)1 << 60;
#pragma acc serial copy(r) copyin(huge)
    {
        void *block = malloc(huge);
        r[0] = block == NULL;
        block = calloc(huge, 32);
        r[1] = block == NULL;
        int *small = malloc(sizeof *small);
        *small = 17;
        block = realloc(small, huge);
        r[2] = block == NULL;
        r[3] = *small;
        free(small);
        block = malloc((size_t)-8);
        r[4] = block == NULL;
    }
    for (int i = 0; i < 5; i++)
        printf("%d\n", r[i]);
    return 0;
}
