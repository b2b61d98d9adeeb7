// acc_attach and acc_detach on a pointer inside mapped data.
// expect-output: attach.expect
#include <openacc.h>
#include <stdio.h>

struct list {
    int n;
    int *v;
};

int main(void)
{
    int v[6] = {1, 2, 3, 4, 5, 6};
    struct list l = {6, v};
    acc_copyin(v, sizeof v);
    acc_copyin(&l, sizeof l);
    acc_attach((void **)&l.v);
#pragma acc parallel loop present(l)
    for (int i = 0; i < l.n; i++)
        l.v[i] *= l.n;
    acc_detach((void **)&l.v);
    acc_delete(&l, sizeof l);
    acc_copyout(v, sizeof v);
    for (int i = 0; i < 6; i++)
        printf("%d ", v[i]);
    printf("%d\n", l.v == v);
    return 0;
}
