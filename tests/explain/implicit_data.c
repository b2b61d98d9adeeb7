// Variables that no clause names: scalars, arrays, structs, pointers, globals, in several surroundings.
// launches: 5
#include <stdlib.h>

struct point {
    double x, y;
};
double table[10];
float factor = 2;

int main(void)
{
    int n = 100, count = 0;
    double a[100], b[100] = { 0 };
    struct point origin = { 1, 2 };
    double *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        a[i] = b[i] * factor + origin.x + table[i % 10];
#pragma acc data copy(p[0:n]) create(q[0:n]) copyin(b)
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            q[i] = b[i];
#pragma acc parallel loop default(present)
        for (int i = 0; i < n; i++)
            p[i] = q[i] + b[i];
    }
#pragma acc kernels
    count = n;
#pragma acc enter data copyin(a)
#pragma acc parallel loop default(present) firstprivate(n) private(count)
    for (int i = 0; i < 100; i++) {
        count = i;
        a[count] = n;
    }
#pragma acc exit data delete(a)
    return count != 100;
}
