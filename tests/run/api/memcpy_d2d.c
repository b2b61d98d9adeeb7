// acc_memcpy_d2d takes host addresses: what the host has there does not change.
// expect-output: memcpy_d2d.expect
// launches: 2
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static double a[100], b[100];
    double sum = 0;
    int shared = acc_get_property(0, acc_get_device_type(), acc_property_shared_memory_support) > 0;
#pragma acc enter data create(a, b)
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < 100; i++) {
        a[i] = i;
        b[i] = -1;
    }
    acc_memcpy_d2d(b + 10, a, 20 * sizeof *b, 0, 0);
    acc_memcpy_d2d_async(&b[50], &a[50], 10 * sizeof *b, 0, 0, 3);
    acc_wait(3);
    acc_memcpy_d2d(0, 0, 0, 0, 0);
    printf("%d\n", shared || (b[10] == 0 && b[55] == 0));
#pragma acc parallel loop present(b) reduction(+:sum)
    for (int i = 0; i < 100; i++)
        sum += (i + 1) * b[i];
#pragma acc exit data copyout(b) delete(a)
    printf("%g %g %g %g %g %g\n", sum, b[9], b[10], b[29], b[30], b[55]);
    double *d = acc_malloc(sizeof b), *e = acc_malloc(sizeof b);
    acc_memcpy_to_device(d, b, sizeof b);
    acc_memcpy_d2d(e, d, sizeof b, 0, 0);
    acc_memcpy_from_device(a, e, sizeof a);
    printf("%g %g\n", a[29], a[99]);
    acc_free(d);
    acc_free(e);
    return 0;
}
