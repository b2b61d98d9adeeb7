// attach and detach of pointers that are elements: of an array, behind a pointer, in structs.
// launches: 3
#include <stdio.h>
#include <stdlib.h>

struct holder {
    int *p[2];
};

int main(void)
{
    int a[8], b[8], k = 1;
    for (int i = 0; i < 8; i++)
        a[i] = b[i] = i;
#pragma acc enter data copyin(a, b)

    int *rows[2] = {a, b};
#pragma acc enter data copyin(rows)
#pragma acc enter data attach(rows[0], rows[k])
#pragma acc parallel loop present(rows, a, b)
    for (int i = 0; i < 8; i++) {
        rows[0][i] += 100;
        rows[1][i] += 200;
    }
#pragma acc exit data detach(rows[0], rows[1])
#pragma acc exit data delete(rows)

    int **behind = malloc(2 * sizeof *behind);
    behind[0] = b;
    behind[1] = a;
#pragma acc enter data copyin(behind[0:2])
#pragma acc enter data attach(behind[1])
#pragma acc parallel loop present(behind[0:2], a)
    for (int i = 0; i < 8; i++)
        behind[1][i] *= 2;
#pragma acc exit data detach(behind[1]) finalize
#pragma acc exit data delete(behind[0:2])

    struct holder h[2] = {{{a, b}}, {{b, a}}};
#pragma acc data copyin(h) attach(h[1].p[0])
    {
#pragma acc parallel loop present(h, b)
        for (int i = 0; i < 8; i++)
            h[1].p[0][i] -= 7;
    }
#pragma acc exit data copyout(a, b)
    for (int i = 0; i < 8; i++)
        printf("%d %d\n", a[i], b[i]);
    free(behind);
    return h[1].p[0] != b;
}
