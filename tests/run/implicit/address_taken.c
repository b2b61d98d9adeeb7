// Scalars whose address is taken on the host and in the region.
#include <stdio.h>

static void set(int *p, int v) { *p = v; }

int main(void)
{
    int x = 0, y = 4, out[6];
    int *px = &x;
    set(px, 7);
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < 6; i++) {
        int t = 0;
        const int *py = &y;
        set(&t, *py + i);
        out[i] = t + x;
    }
    *px = 1;
    for (int i = 0; i < 6; i++)
        printf("%d ", out[i]);
    printf("%d\n", x);
    return 0;
}
