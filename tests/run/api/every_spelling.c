// Routines that other tests do not call: waits and tests of devices and of lists of queues, copies in queues, older names.
// expect-output: every_spelling.expect
#include <openacc.h>
#include <stdio.h>
#include <string.h>

enum { N = 64 };

static void waits(void) {
    int y[N], z[N], queues[3] = {2, 7, 8}, sum = 0;
    int device = acc_get_device_num(acc_get_device_type());
    acc_set_default_async(5);
#pragma acc enter data create(y, z) async
#pragma acc parallel loop present(y) async
    for (int i = 0; i < N; i++)
        y[i] = i;
    acc_wait_async(5, 2);
#pragma acc serial loop present(y, z) async(2)
    for (int i = 0; i < N; i++)
        z[i] = i + y[i];
    acc_wait_device_async(2, 7, device);
#pragma acc kernels loop present(y, z) async(7)
    for (int i = 0; i < N; i++)
        y[i] += z[i];
    acc_wait_all_async(8);
    acc_wait_all_device_async(9, device);
#pragma acc update self(y) async(9)
    int any = acc_wait_any(3, queues), any_of_device = acc_wait_any_device(3, queues, device);
    acc_wait_device(9, device);
    for (int i = 0; i < N; i++)
        sum += y[i];
    acc_wait_all_device(device);
    printf("%d %d %d\n", sum, any >= 0 && any < 3, any_of_device >= 0 && any_of_device < 3);
    acc_async_wait(5);
    acc_async_wait_all();
    printf("%d %d %d %d\n", !!acc_async_test(7), !!acc_async_test_all(), !!acc_async_test_device(7, device),
           !!acc_async_test_all_device(device));
#pragma acc exit data delete(y, z)
}

static void copies(void) {
    int y[N], z[N], *p = y;
    for (int i = 0; i < N; i++)
        y[i] = i;
    int *d = acc_malloc(sizeof y), *e = acc_malloc(sizeof y);
    acc_memcpy_to_device_async(d, y, sizeof y, 1);
    acc_memcpy_device_async(e, d, sizeof y, 1);
    acc_memcpy_from_device_async(z, e, sizeof z, 1);
    acc_wait(1);
    printf("%d\n", memcmp(y, z, sizeof y));
    acc_free(d);
    acc_free(e);
    acc_free(NULL);
    acc_pcopyin(y, sizeof y);
    acc_present_or_copyin(y, sizeof y);
    acc_pcreate(z, sizeof z);
    acc_present_or_create(z, sizeof z);
#pragma acc parallel loop present(y, z)
    for (int i = 0; i < N; i++)
        z[i] = y[i] + 1;
    acc_copyout_finalize_async(z, sizeof z, 3);
    acc_update_device_async(y, sizeof y, 3);
    acc_delete_finalize_async(y, sizeof y, 3);
    acc_wait(3);
    printf("%d %d\n", z[0], z[N - 1]);
    acc_copyin(y, sizeof y);
    acc_copyin(&p, sizeof p);
    acc_attach_async((void **)&p, 4);
    acc_detach_async((void **)&p, 4);
    acc_attach((void **)&p);
    acc_attach((void **)&p);
    acc_detach_finalize((void **)&p);
    acc_attach_async((void **)&p, 4);
    acc_detach_finalize_async((void **)&p, 4);
    acc_wait(4);
    acc_delete(&p, sizeof p);
    acc_delete(y, sizeof y);
    printf("%d\n", p == y);
}

int main(void) {
    acc_init_device(acc_get_device_num(acc_get_device_type()), acc_get_device_type());
    waits();
    copies();
    acc_shutdown_device(acc_get_device_num(acc_get_device_type()), acc_get_device_type());
    return 0;
}
