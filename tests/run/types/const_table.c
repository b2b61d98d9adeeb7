// Static const tables, at file scope and in a function, read in a region.
#include <stdio.h>

static const unsigned char popcount[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

int main(void)
{
    static const int weight[4] = {1000, 100, 10, 1};
    const int scale = 3;
    int r[64];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 64; i++)
        r[i] = (popcount[i & 15] + popcount[i >> 4]) * weight[i % 4] * scale;
    for (int i = 0; i < 64; i++)
        printf("%d ", r[i]);
    printf("\n");
    return 0;
}
