// Threads that use a device first at the same time, and a program that goes from one device to another.
// cflags: -pthread
// expect-output: threads.expect
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>

static int table[64], total;
#pragma acc declare create(table) copyin(total)

static void *fill(void *argument)
{
    int from = *(int *)argument;
#pragma acc parallel loop
    for (int i = from; i < from + 16; i++) table[i] = i;
#pragma acc parallel
#pragma acc atomic update
    total += from;
    return 0;
}

static void use(void)
{
    pthread_t threads[4];
    int from[4], sum = 0;
    for (int k = 0; k < 4; k++) {
        from[k] = 16 * k;
        if (pthread_create(&threads[k], 0, fill, &from[k])) return;
    }
    for (int k = 0; k < 4; k++) pthread_join(threads[k], 0);
#pragma acc parallel loop reduction(+:sum) present(table)
    for (int i = 0; i < 64; i++) sum += table[i];
#pragma acc update self(total)
    printf("%d %d\n", sum, total);
}

int main(void)
{
    acc_device_t first = acc_get_device_type();
    use();
    acc_set_device_type(acc_device_host);
    int seen = 0;
#pragma acc serial copy(seen)
    {
        total = 5;
        seen = total;
    }
    printf("%d\n", seen);
    acc_set_device_type(first);
#pragma acc serial copy(seen)
    seen = total > 5 || total == 5;
    printf("%d\n", seen);
    return 0;
}
