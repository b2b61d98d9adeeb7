// `lifetime/not_attached` as it should be.
// finds: nothing
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
    v.data[5] = 7;
#pragma acc parallel loop copyin(v, v.data[0:v.n]) reduction(+ : sum)
    for (int i = 0; i < v.n; i++)
        sum += v.data[i];
    printf("%g\n", sum);
    free(v.data);
}
