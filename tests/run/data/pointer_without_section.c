// A pointer without a section in `exit data`, `update` and `present` means the present data that it leads to.
// modes: discrete sim gpu (host and device copies differ on purpose)
// expect-output: pointer_without_section.expect
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

struct list {
    int n;
    int *items;
};

int main(void)
{
    int *a = malloc(10 * sizeof *a), *inside = a + 4;
    struct list list = {10, malloc(10 * sizeof(int))};
    for (int i = 0; i < 10; i++)
        a[i] = list.items[i] = 1;

#pragma acc enter data copyin(a[0:10])
#pragma acc parallel loop present(a)
    for (int i = 0; i < 10; i++)
        a[i] = i;
#pragma acc update self(inside)
    printf("%d %d\n", a[1], a[9]);
    a[9] = 50;
#pragma acc update device(a) if_present
#pragma acc data present(a)
#pragma acc parallel loop
    for (int i = 0; i < 10; i++)
        a[i] += 1;
#pragma acc exit data copyout(a)
    printf("%d %d present %d\n", a[1], a[9], acc_is_present(a, 1));

    /* Counted as any other reference. */
#pragma acc enter data copyin(a[0:10])
#pragma acc enter data copyin(a[2:3])
#pragma acc exit data delete(a)
    printf("present %d\n", acc_is_present(a, 40));
#pragma acc exit data delete(a)
    printf("present %d\n", acc_is_present(a, 40));

    /* The pointer itself, when that is what was mapped. */
#pragma acc enter data copyin(a[0:10]) copyin(a)
#pragma acc exit data delete(a)
    printf("present %d %d\n", acc_is_present(a, 40), acc_is_present(&a, sizeof a));
#pragma acc exit data delete(a) finalize
    printf("present %d\n", acc_is_present(a, 40));

    /* A member, attached. */
#pragma acc enter data copyin(list) copyin(list.items[0:10])
#pragma acc parallel loop present(list)
    for (int i = 0; i < 10; i++)
        list.items[i] = 3 * i;
#pragma acc exit data copyout(list.items)
    printf("%d present %d %d\n", list.items[9], acc_is_present(list.items, 1), acc_is_present(&list, sizeof list));
#pragma acc exit data copyout(list)
    printf("%d %d\n", list.n, list.items[9]);

    /* Neither is present: nothing happens. */
#pragma acc exit data delete(a)
#pragma acc exit data delete(a) finalize
    free(list.items);
    free(a);
    return 0;
}
