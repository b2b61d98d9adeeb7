/* What the compiler makes of
 *
 *     #pragma acc data copy(a[0:n])
 *     {
 *     #pragma acc parallel loop async(2)
 *         for (int i = 0; i < n; i++) a[i] = a[i] * x + i;
 *     #pragma acc wait
 *     }
 *
 * written by hand, in the common subset of C99 and C++98; and every routine of openacc.h.
 */
#include <acc_prof.h>
#include <openacc.h>
#include <acc_prof.h>
#include <openacc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "accrue_abi.h"

static void kernel(const struct accrue_cpu_launch *l, unsigned long long gang)
{
    double *a = (double *)l->args[0];
    long n = (long)l->args[1];
    double x;
    long i, first, last;
    memcpy(&x, &l->args[2], sizeof x);
    first = (long)((unsigned long long)n * gang / l->gangs[0]);
    last = (long)((unsigned long long)n * (gang + 1) / l->gangs[0]);
    for (i = first; i < last; i++)
        a[i] = a[i] * x + (double)i;
}

static const struct accrue_var data_vars[] = {{"a", ACCRUE_ACTION_Copy, 0, 8, 1, 0, 3, 23, 0, 0, 0}};
static const struct accrue_var parallel_vars[] = {
    {"a", ACCRUE_ACTION_Copy, ACCRUE_VAR_IMPLICIT, 8, 1, 0, 0, 0, 0, 0, 0},
    {"n", ACCRUE_ACTION_Value, ACCRUE_VAR_IMPLICIT, 8, 0, 0, 0, 0, 0, 0, 0},
    {"x", ACCRUE_ACTION_Value, ACCRUE_VAR_IMPLICIT, 8, 0, 0, 0, 0, 0, 0, 0}};
static const struct accrue_cpu_kernel on_cpu = {kernel, 0, 0, 0};
static const struct accrue_form forms[] = {{ACCRUE_FORM_Cpu, 0, &on_cpu}};
static const struct accrue_kernel kernels[] = {
    {"main_1", 6, ACCRUE_KERNEL_GANG_LOOP, 1, 0, forms}};
static struct accrue_site data_site = {ACCRUE_ABI_VERSION, ACCRUE_SITE_Data, "program.c", "main",
                                       "acc data copy(a[0:n])", 3, 9, 0, 0, 1, 0, data_vars, 0, 0, 0, 0, 0, 0};
static struct accrue_site parallel_site = {ACCRUE_ABI_VERSION, ACCRUE_SITE_Parallel, "program.c", "main",
                                           "acc parallel loop async(2)", 5, 9, ACCRUE_SITE_ASYNC_GIVEN, 0, 3,
                                           1, parallel_vars, kernels, 0, 0, 0, 0, 0};
static struct accrue_site wait_site = {ACCRUE_ABI_VERSION, ACCRUE_SITE_Wait, "program.c", "main",
                                       "acc wait", 7, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static struct accrue_site *const sites[] = {&data_site, &parallel_site, &wait_site};
static struct accrue_image image = {ACCRUE_ABI_VERSION, 3, sites, "program.c", 0};

__attribute__((constructor)) static void load(void) { __accrue_register_image(&image); }
__attribute__((destructor)) static void unload(void) { __accrue_unregister_image(&image); }

static int check(int ok, const char *what)
{
    if (!ok)
        fprintf(stderr, "failed: %s\n", what);
    return !ok;
}

static int directives(void)
{
    enum { N = 1000 };
    static double a[N];
    double x = 3;
    unsigned long long n = N, x_bits;
    int i, wrong = 0, fallback = 0;
    memcpy(&x_bits, &x, sizeof x);
    for (i = 0; i < N; i++)
        a[i] = 1;
    {
        const unsigned long long words[] = {1, 0, ACCRUE_SYNC, 0, 0, 0, 0, 0, ACCRUE_ABSENT, 0,
                                            (uintptr_t)a, 0, 0, n, 0};
        for (__accrue_data_begin(&data_site, words); __accrue_data_next(&data_site);) {
            const unsigned long long launch[] = {1, 0, 2, 0, 0, 0, 0, 0, ACCRUE_ABSENT, 0,
                                                 (uintptr_t)a, 0, 0, n, 0, n, x_bits};
            const unsigned long long wait[] = {1, 0, ACCRUE_SYNC, 0, 0, 0, 0, 0, ACCRUE_ABSENT, 0};
            if (__accrue_launch(&parallel_site, launch)) {
            } else
                fallback = 1;
            __accrue_exec(&wait_site, wait);
        }
    }
    for (i = 0; i < N; i++)
        wrong += a[i] != 3 + i;
    return check(!fallback && wrong == 0, "directives");
}

static int routines(void)
{
    int failed = 0, queue = 1, queues[1];
    char a[64], b[64];
    void *device, *pointer = b;
    acc_device_t own = acc_get_device_type();
    queues[0] = queue;
    memset(a, 1, sizeof a);
    memset(b, 2, sizeof b);
    acc_init(acc_device_default);
    acc_init_device(0, own);
    acc_set_device_type(own);
    acc_set_device_num(0, own);
    failed += check(acc_get_num_devices(own) == 1 && acc_get_device_num(own) == 0, "devices");
    failed += check(acc_get_property(0, own, acc_property_memory) > 0, "memory");
    failed += check(acc_get_property_string(0, own, acc_property_name) != NULL, "name");
    failed += check(acc_on_device(acc_device_host) && !acc_on_device(acc_device_not_host), "on");

    device = acc_copyin(a, sizeof a);
    failed += check(acc_deviceptr(a) == device && acc_hostptr(device) == (void *)a, "address");
    acc_copyin_async(a, sizeof a, queue);
    acc_create(a, sizeof a);
    acc_create_async(a, sizeof a, queue);
    acc_pcopyin(a, 1);
    acc_present_or_copyin(a, 1);
    acc_pcreate(a, 1);
    acc_present_or_create(a, 1);
    acc_copyout(a, sizeof a);
    acc_copyout_async(a, sizeof a, queue);
    acc_delete(a, sizeof a);
    acc_delete_async(a, sizeof a, queue);
    failed += check(acc_is_present(a, sizeof a), "four references are left");
    acc_update_device(a, sizeof a);
    acc_update_device_async(a, sizeof a, queue);
    acc_update_self(a, sizeof a);
    acc_update_self_async(a, sizeof a, queue);
    acc_copyout_finalize(a, sizeof a);
    failed += check(!acc_is_present(a, sizeof a) && a[63] == 1, "finalize");
    acc_copyout_finalize_async(a, sizeof a, queue);
    acc_delete_finalize(a, sizeof a);
    acc_delete_finalize_async(a, sizeof a, queue);

    acc_attach(&pointer);
    acc_attach_async(&pointer, queue);
    acc_detach(&pointer);
    acc_detach_async(&pointer, queue);
    acc_detach_finalize(&pointer);
    acc_detach_finalize_async(&pointer, queue);

    device = acc_malloc(64);
    acc_map_data(a, device, 64);
    acc_unmap_data(a);
    acc_memcpy_to_device(device, a, 64);
    acc_memcpy_to_device_async(device, a, 64, queue);
    acc_memcpy_device(device, device, 64);
    acc_memcpy_device_async(device, device, 64, queue);
    acc_memcpy_d2d(device, device, 64, 0, 0);
    acc_memcpy_d2d_async(device, device, 64, 0, 0, queue);
    acc_memcpy_from_device(b, device, 32);
    acc_memcpy_from_device_async(b, device, 64, queue);
    acc_wait(queue);
    failed += check(b[63] == 1, "copies");
    acc_free(device);

    acc_wait_device(queue, 0);
    acc_wait_async(queue, 2);
    acc_wait_device_async(queue, 2, 0);
    acc_wait_all();
    acc_wait_all_device(0);
    acc_wait_all_async(2);
    acc_wait_all_device_async(2, 0);
    acc_async_wait(queue);
    acc_async_wait_all();
    failed += check(acc_wait_any(1, queues) == 0 && acc_wait_any_device(1, queues, 0) == 0, "any");
    failed += check(acc_async_test(queue) && acc_async_test_device(queue, 0), "test");
    failed += check(acc_async_test_all() && acc_async_test_all_device(0), "test all");
    acc_set_default_async(7);
    failed += check(acc_get_default_async() == 7, "default queue");
    acc_set_default_async(acc_async_default);
    failed += check(!acc_get_current_cuda_device() && !acc_get_current_cuda_context(), "CUDA");
    failed += check(!acc_get_cuda_stream(queue) && !acc_set_cuda_stream(queue, NULL), "streams");
    acc_shutdown_device(0, own);
    acc_shutdown(acc_device_default);
    return failed;
}

int main(void)
{
#ifdef _OPENACC
#error "the header must leave _OPENACC to the compiler"
#endif
    int failed = directives() + routines() + directives();
    failed += check(__accrue_device_is(ACCRUE_DEVICE_HOST) != 0, "device type");
    printf("%s\n", failed ? "wrong" : "right");
    return failed != 0;
}
