// An array of structs that each own a buffer.
#include <stdio.h>
#include <stdlib.h>

struct part {
    int n;
    int *v;
};

int main(void)
{
    struct part p[4];
    for (int i = 0; i < 4; i++) {
        p[i].n = 3 + i;
        p[i].v = malloc((unsigned)p[i].n * sizeof(int));
        for (int k = 0; k < p[i].n; k++)
            p[i].v[k] = k;
    }
#pragma acc enter data copyin(p)
    for (int i = 0; i < 4; i++) {
#pragma acc enter data copyin(p[i].v[0:p[i].n])
    }
#pragma acc parallel loop gang present(p)
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < p[i].n; k++)
            p[i].v[k] += i * 100;
    for (int i = 0; i < 4; i++) {
#pragma acc exit data copyout(p[i].v[0:p[i].n])
    }
#pragma acc exit data delete(p)
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < p[i].n; k++)
            printf("%d ", p[i].v[k]);
        free(p[i].v);
    }
    printf("\n");
    return 0;
}
