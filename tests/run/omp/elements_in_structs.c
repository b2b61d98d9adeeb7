// `target data` maps what pointers in a struct's elements lead to; regions use the struct without a clause.
// cflags: -fopenmp
// expect-output: elements_in_structs.expect
// launches: 4
#include <stdio.h>

struct row {
    int n;
    int *x;
};

int main(void)
{
    int a[4] = {1, 2, 3, 4}, b[3] = {10, 20, 30};
    struct {
        int scale;
        struct row rows[2];
    } t = {2, {{4, a}, {3, b}}};
#pragma omp target data map(tofrom : t.rows[1].x[0:3])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 3; i++)
        t.rows[1].x[i] *= t.scale;
    for (int k = 0; k < 2; k++) {
#pragma omp target data map(tofrom : t.rows[k].x[0:t.rows[k].n])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < t.rows[k].n; i++)
            t.rows[k].x[i] += k;
    }
#pragma omp target teams distribute parallel for map(tofrom : t.rows[0].x[0:4])
    for (int i = 0; i < 4; i++)
        t.rows[0].x[i] = -t.rows[0].x[i];
    printf("%d %d %d %d, %d %d %d\n", a[0], a[1], a[2], a[3], b[0], b[1], b[2]);
}
