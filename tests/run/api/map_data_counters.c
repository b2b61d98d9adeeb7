// Of data that acc_map_data has mapped, only acc_unmap_data ends the mapping; attachments and no_create go by what is present.
// expect-output: map_data_counters.expect
// launches: 2
#include <openacc.h>
#include <stdio.h>

struct list {
    int *items;
};

int main(void)
{
    static int a[10], b[10];
    void *device = acc_malloc(sizeof a);
    acc_map_data(a, device, sizeof a);
#pragma acc enter data copyin(a)
#pragma acc exit data delete(a)
    printf("%d\n", acc_is_present(a, sizeof a));
#pragma acc exit data delete(a) finalize
    printf("%d %d\n", acc_is_present(a, sizeof a), acc_deviceptr(a) == device);
    acc_unmap_data(a);
    printf("%d\n", acc_is_present(a, sizeof a));
    acc_free(device);

    /* no_create attaches and detaches what is present, and nothing else. */
    struct list list = {b};
#pragma acc data copyin(list) no_create(list.items[0:10])
    printf("%d\n", acc_is_present(b, sizeof b));
#pragma acc data copyin(list) copy(b)
    {
#pragma acc data no_create(list.items[0:10])
        {
#pragma acc data no_create(list.items[0:10])
            {
            }
            /* The outer region's attachment is left. */
#pragma acc parallel loop present(list)
            for (int i = 0; i < 10; i++)
                list.items[i] = i;
        }
        /* Attached twice, detached twice. */
        acc_attach((void **)&list.items);
        acc_attach((void **)&list.items);
        acc_detach((void **)&list.items);
#pragma acc parallel loop present(list)
        for (int i = 0; i < 10; i++)
            list.items[i] += 1;
        acc_detach((void **)&list.items);
    }
    printf("%d %d\n", b[9], list.items == b);
    return 0;
}
