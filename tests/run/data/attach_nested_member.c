// `attach` of a member of a member, beside clauses and implicit attributes of the structure.
#include <stdio.h>

struct inner {
    double *x;
    int n;
};
struct outer {
    int tag;
    struct inner b;
    double *z;
};

int main(void)
{
    double x[10] = {0}, z[10] = {0};
    struct outer o = {1, {x, 10}, z};
    int n = 10;
#pragma acc data copy(o, o.b.x[0:n])
    {
#pragma acc kernels attach(o.b.x)
        for (int i = 0; i < n; i++)
            o.b.x[i] = i + o.tag;
    }
#pragma acc data copy(x, z)
    {
#pragma acc parallel loop copy(o) attach(o.b.x, o.z)
        for (int i = 0; i < n; i++)
            o.z[i] = o.b.x[i] + o.b.n;
#pragma acc enter data copyin(o)
#pragma acc enter data attach(o.b.x) attach(o.z)
#pragma acc kernels present(o) attach(o.z)
        for (int i = 0; i < n; i++)
            o.z[i] += o.b.x[i] + o.b.n;
#pragma acc exit data detach(o.b.x, o.z)
#pragma acc exit data delete(o)
    }
    double s = 0;
    for (int i = 0; i < n; i++)
        s = s * 1.5 + x[i] + z[i];
    printf("%g\n", s);
    return 0;
}
