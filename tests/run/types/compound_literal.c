// Compound literals of scalars, arrays and structs in a region.
#include <stdio.h>

struct p {
    int x, y;
};

int main(void)
{
    int r[10];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 10; i++) {
        struct p a = (struct p){i, 2 * i};
        struct p *q = &(struct p){.y = i + 7};
        q->x += 5;
        int *t = (int[]){1, i, i * i};
        t[0]++;
        r[i] = a.x + a.y * 10 + q->x + q->y + t[0] + t[2] + (int){i} + ((int[3]){4, 5, 6})[i % 3];
    }
    for (int i = 0; i < 10; i++)
        printf("%d\n", r[i]);
    return 0;
}
