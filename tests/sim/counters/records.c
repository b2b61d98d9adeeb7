// Elements of a record of four are loaded and stored at once, also where each lane has one iteration.
// finds: nothing
// counters: load-eff == 1, store-eff == 1, load-width >= 15, store-width >= 15
#include <stdio.h>

float a[4096], b[4096];

static void scale(int n, const float *p, float *q)
{
#pragma acc parallel loop copyin(p[0:4 * n]) copyout(q[0:4 * n])
    for (int i = 0; i < n; i++) {
        q[4 * i] = 2 * p[4 * i];
        q[4 * i + 1] = 3 * p[4 * i + 1];
        q[4 * i + 2] = 4 * p[4 * i + 2];
        q[4 * i + 3] = 5 * p[4 * i + 3];
    }
}

int main(void)
{
    for (int k = 0; k < 4096; k++)
        a[k] = k % 10;
    scale(1024, a, b);
    printf("%g %g\n", b[7], b[4095]);
}
