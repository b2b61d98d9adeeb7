// The section of a pointer in a struct is too short.
// finds: out of bounds: read of 8 bytes
// finds: 'v.data[0:v.n-1]'
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
#pragma acc data copyin(v) copyin(v.data[0:v.n-1])
    {
#pragma acc parallel loop present(v) reduction(+ : sum)
        for (int i = 0; i < v.n; i++)
            sum += v.data[i]; // found here
    }
    printf("%g\n", sum);
}
