// Sections without a lower bound of a type with a default mapper: of one element, and of some.
// cflags: -fopenmp
// expect-output: mapper_first_elements.expect
#include <stdio.h>

typedef struct {
    int n;
    float *x;
} row;

#pragma omp declare mapper(row v) map(to : v.n) map(v.x[0 : v.n])

int main(void)
{
    float x[2] = {1, 2}, y[3] = {3, 4, 5};
    row a = {2, x}, *one = &a, two[2] = {{2, x}, {3, y}};
#pragma omp target map(tofrom : one[ : 1])
    one->x[0] = 7;
    printf("%g\n", x[0]);
#pragma omp target map(tofrom : two[ : 2])
    {
        two[0].x[1] += 10;
        two[1].x[2] += 20;
    }
    printf("%g %g\n", x[1], y[2]);
    return 0;
}
