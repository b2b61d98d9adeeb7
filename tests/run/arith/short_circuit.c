// && and || evaluate the right side only when needed, side effects included.
#include <stdio.h>

int main(void)
{
    int a[16], calls[16];
#pragma acc parallel loop copyout(a, calls)
    for (int i = 0; i < 16; i++) {
        int n = 0, z = 0;
        int p = (i & 1) && ++n;
        int q = (i & 2) || (n += 10);
        int r = (i & 4) && (i & 8) && (n += 100) && z;
        int s = !(i & 1) || (z != 0 && 1 / z > 0) || (n += 1000);
        a[i] = p | q << 1 | r << 2 | s << 3;
        calls[i] = n;
    }
    for (int i = 0; i < 16; i++)
        printf("%d %d\n", a[i], calls[i]);
    return 0;
}
