// The struct is copied with the host's pointer in it; the data it points to is never attached.
// finds: not device memory: read of 8 bytes
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    double *data;
};

int main(void)
{
    struct vector v = {64, calloc(64, sizeof(double))};
    double sum = 0;
#pragma acc parallel loop copyin(v) reduction(+ : sum)
    for (int i = 0; i < v.n; i++)
        sum += v.data[i]; // found here
    printf("%g\n", sum);
}
