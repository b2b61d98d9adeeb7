// A thousand mappings alive at once, found again in another order, deleted in a third.
// launches: 50
#include <stdio.h>
#include <stdlib.h>

#define N 1000

int main(void)
{
    static int *p[N];
    for (int i = 0; i < N; i++) {
        int *q = p[i] = malloc(8 * sizeof(int));
        for (int k = 0; k < 8; k++)
            q[k] = i;
#pragma acc enter data copyin(q[0:8])
    }
    long s = 0;
    for (int t = 0; t < 50; t++) {
        int *q = p[t * 379 % N];
#pragma acc serial present(q[0:8])
        q[t % 8] += t;
#pragma acc update self(q[0:8])
        s += q[t % 8];
    }
    for (int i = N - 1; i >= 0; i--) {
        int *q = p[i * 7 % N];
#pragma acc exit data delete(q[0:8])
        free(q);
    }
    printf("%ld\n", s);
    return 0;
}
