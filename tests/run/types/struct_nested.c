// Structs in structs in arrays, addressed through . and ->, with pointers to members.
#include <stdio.h>

struct inner {
    int v[2][2];
    struct {
        short lo, hi;
    } pair;
};
struct outer {
    struct inner in[3];
    int total;
};

int main(void)
{
    struct outer o[4];
#pragma acc parallel loop copyout(o)
    for (int i = 0; i < 4; i++) {
        struct outer *p = &o[i];
        p->total = 0;
        for (int k = 0; k < 3; k++) {
            struct inner *n = &p->in[k];
            n->pair.lo = (short)(i - k);
            (*n).pair.hi = (short)(i * k);
            for (int x = 0; x < 4; x++)
                n->v[x / 2][x % 2] = x * (i + 1) + k;
            int *q = &n->v[0][1];
            p->total += q[0] + *(q + 1) + p->in[k].pair.hi;
        }
    }
    for (int i = 0; i < 4; i++) {
        printf("%d:", o[i].total);
        for (int k = 0; k < 3; k++)
            printf(" %d %d %d", o[i].in[k].v[1][1], o[i].in[k].pair.lo, o[i].in[k].pair.hi);
        printf("\n");
    }
    return 0;
}
