// acc_is_present through the life of structured and unstructured data.
// modes: discrete gpu (shared memory is always present)
// expect-output: present.expect
// launches: 0
#include <openacc.h>
#include <stdio.h>

static int a[10], b[10];

static void show(const char *when)
{
    printf("%s: %d %d %d %d\n", when, acc_is_present(a, sizeof a) != 0, acc_is_present(a + 2, 4) != 0,
           acc_is_present(b, 4) != 0, acc_is_present(b, sizeof b) != 0);
}

int main(void)
{
    show("start");
#pragma acc data copyin(a)
    {
        show("in data");
#pragma acc enter data create(b[0:3])
        show("after enter");
    }
    show("after data");
    acc_delete(b, 3 * sizeof b[0]);
    show("end");
    return 0;
}
