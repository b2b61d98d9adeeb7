// Program data is present from the start: copyin has copied its first value, no clause copies it again, and no exit takes it away.
// modes: discrete gpu (with shared memory there is only one copy)
// expect-output: lifetime.expect
#include <openacc.h>
#include <stdio.h>

static int a[4] = {1, 2, 3, 4};
#pragma acc declare copyin(a)
static int b[4] = {9, 9, 9, 9};
#pragma acc declare create(b)
static int linked[4] = {5, 6, 7, 8};
#pragma acc declare link(linked)

#pragma acc routine seq
static int use(int i) { return linked[i]; }

static void show(const char *what, const int *v)
{
    printf("%s: %d %d %d %d\n", what, v[0], v[1], v[2], v[3]);
}

int main(void)
{
    for (int i = 0; i < 4; i++) a[i] = -1;
    printf("%d %d %d\n", acc_is_present(a, sizeof a), acc_is_present(b, sizeof b),
           acc_is_present(linked, sizeof linked));
#pragma acc parallel loop copy(a, b)
    for (int i = 0; i < 4; i++) b[i] = a[i] * 10;
    show("a", a);
    show("b", b);
#pragma acc exit data copyout(b) finalize
    show("b", b);
#pragma acc update self(b)
    show("b", b);
#pragma acc enter data copyin(linked)
    linked[0] = 50;
#pragma acc parallel loop
    for (int i = 0; i < 4; i++) b[i] = use(i);
#pragma acc exit data delete(linked)
#pragma acc update self(b)
    show("b", b);
    printf("%d\n", acc_is_present(linked, sizeof linked));
#pragma acc parallel loop
    for (int i = 0; i < 4; i++) b[i] = use(i) + a[i];
#pragma acc update self(b)
    show("b", b);
    acc_shutdown(acc_get_device_type());
#pragma acc parallel loop
    for (int i = 0; i < 4; i++) b[i] = a[i];
#pragma acc update self(b)
    show("b", b);
    return 0;
}
