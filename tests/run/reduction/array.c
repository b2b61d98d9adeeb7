// An array as reduction variable: a small histogram.
#include <stdio.h>

#define N 5000
#define BINS 8

int main(void)
{
    int h[BINS] = {1, 0, 0, 0, 0, 0, 0, 100};
    static unsigned char key[N];
    for (int i = 0; i < N; i++)
        key[i] = (unsigned char)(i * i % 61);
#pragma acc parallel loop copyin(key) reduction(+:h)
    for (int i = 0; i < N; i++)
        h[key[i] % BINS]++;
    for (int k = 0; k < BINS; k++)
        printf("%d ", h[k]);
    printf("\n");
    return 0;
}
