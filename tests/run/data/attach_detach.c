// attach and detach clauses: the pointer in device memory is made to point to device data and back.
// launches: 2
#include <stdio.h>

struct holder {
    int *p;
    int n;
};

int main(void)
{
    int a[10], b[10];
    struct holder h = {a, 10};
    for (int i = 0; i < 10; i++)
        a[i] = b[i] = i;
#pragma acc enter data copyin(a, b)
#pragma acc enter data copyin(h)
#pragma acc enter data attach(h.p)
#pragma acc parallel loop present(h, a)
    for (int i = 0; i < 10; i++)
        h.p[i] += 100;
#pragma acc exit data detach(h.p)
    h.p = b;
#pragma acc update device(h)
#pragma acc enter data attach(h.p)
#pragma acc parallel loop present(h, b)
    for (int i = 0; i < h.n; i++)
        h.p[i] *= 3;
#pragma acc exit data detach(h.p)
#pragma acc exit data delete(h)
#pragma acc exit data copyout(a, b)
    for (int i = 0; i < 10; i++)
        printf("%d %d\n", a[i], b[i]);
    return h.p != b;
}
