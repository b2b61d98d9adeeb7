// The same pointer variable maps different buffers one after another.
// launches: 4
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p, total = 0;
    for (int t = 1; t <= 4; t++) {
        p = malloc((unsigned)t * 10 * sizeof *p);
#pragma acc data copyout(p[0:t * 10])
        {
#pragma acc parallel loop present(p[0:t * 10])
            for (int i = 0; i < t * 10; i++)
                p[i] = i * t;
        }
        total += p[t * 10 - 1];
        free(p);
    }
    printf("%d\n", total);
    return 0;
}
