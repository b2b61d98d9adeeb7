// A struct with a pointer member: mapping the member's section attaches the device pointer.
#include <stdio.h>
#include <stdlib.h>

struct vec {
    int n;
    double *x;
};

int main(void)
{
    struct vec v = {40, malloc(40 * sizeof(double))};
    for (int i = 0; i < v.n; i++)
        v.x[i] = i;
#pragma acc data copyin(v) copy(v.x[0:v.n])
    {
#pragma acc parallel loop present(v)
        for (int i = 0; i < v.n; i++)
            v.x[i] = v.x[i] * 2 + v.n;
    }
    double s = 0;
    for (int i = 0; i < v.n; i++)
        s += v.x[i];
    printf("%g\n", s);
    free(v.x);
    return 0;
}
