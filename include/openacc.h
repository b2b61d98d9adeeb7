/* openacc.h - the OpenACC 3.4 runtime routines as implemented by libaccrue.
 *
 * For C and C++. The macro _OPENACC belongs to the compiler driver and is not touched here.
 * Section numbers are those of the OpenACC 3.4 specification, chapter 3.
 */
#ifndef ACCRUE_OPENACC_H
#define ACCRUE_OPENACC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#define ACCRUE_NOTHROW noexcept(true)
#if __cplusplus < 201103L
#undef ACCRUE_NOTHROW
#define ACCRUE_NOTHROW throw()
#endif
#else
#define ACCRUE_NOTHROW
#endif

/* 3.1: device types. acc_device_cpu, _sim and _opencl are extensions. The CPU device is
 * acc_device_host; with memory of its own (ACCRUE_CPU_MEMORY=discrete) it is acc_device_cpu,
 * which acc_device_not_host covers. */
typedef enum acc_device_t {
    acc_device_none = 0,
    acc_device_default = 1,
    acc_device_host = 2,
    acc_device_not_host = 3,
    acc_device_nvidia = 4,
    acc_device_radeon = 5,
    acc_device_current = 6,
    acc_device_cpu = 7,
    acc_device_sim = 8,
    acc_device_opencl = 9
} acc_device_t;

/* 3.1, 2.16: special values of async arguments. */
typedef enum acc_async_t {
    acc_async_noval = -1,
    acc_async_sync = -2,
    acc_async_default = -3
} acc_async_t;

/* 3.2.6: device properties. */
typedef enum acc_device_property_t {
    acc_property_none = 0,
    acc_property_memory = 1,
    acc_property_free_memory = 2,
    acc_property_shared_memory_support = 3,
    acc_property_name = 101,
    acc_property_vendor = 102,
    acc_property_driver = 103
} acc_device_property_t;

/* Devices */
int acc_get_num_devices(acc_device_t) ACCRUE_NOTHROW;
void acc_set_device_type(acc_device_t) ACCRUE_NOTHROW;
acc_device_t acc_get_device_type(void) ACCRUE_NOTHROW;
void acc_set_device_num(int dev_num, acc_device_t) ACCRUE_NOTHROW;
int acc_get_device_num(acc_device_t) ACCRUE_NOTHROW;
size_t acc_get_property(int dev_num, acc_device_t, acc_device_property_t) ACCRUE_NOTHROW;
const char *acc_get_property_string(int dev_num, acc_device_t, acc_device_property_t) ACCRUE_NOTHROW;
void acc_init(acc_device_t) ACCRUE_NOTHROW;
void acc_init_device(int dev_num, acc_device_t) ACCRUE_NOTHROW;
void acc_shutdown(acc_device_t) ACCRUE_NOTHROW;
void acc_shutdown_device(int dev_num, acc_device_t) ACCRUE_NOTHROW;
#ifdef __cplusplus
int acc_on_device(int dev_type) ACCRUE_NOTHROW;
#else
int acc_on_device(acc_device_t) ACCRUE_NOTHROW;
#endif
/* Called with the message before the program ends because of an error. */
void acc_set_error_routine(void (*routine)(char *message));

/* Queues */
int acc_async_test(int wait_arg) ACCRUE_NOTHROW;
int acc_async_test_device(int wait_arg, int dev_num) ACCRUE_NOTHROW;
int acc_async_test_all(void) ACCRUE_NOTHROW;
int acc_async_test_all_device(int dev_num) ACCRUE_NOTHROW;
void acc_wait(int wait_arg) ACCRUE_NOTHROW;
void acc_wait_device(int wait_arg, int dev_num) ACCRUE_NOTHROW;
void acc_wait_async(int wait_arg, int async_arg) ACCRUE_NOTHROW;
void acc_wait_device_async(int wait_arg, int async_arg, int dev_num) ACCRUE_NOTHROW;
void acc_wait_all(void) ACCRUE_NOTHROW;
void acc_wait_all_device(int dev_num) ACCRUE_NOTHROW;
void acc_wait_all_async(int async_arg) ACCRUE_NOTHROW;
void acc_wait_all_device_async(int async_arg, int dev_num) ACCRUE_NOTHROW;
int acc_wait_any(int count, const int wait_arg[]) ACCRUE_NOTHROW;
int acc_wait_any_device(int count, const int wait_arg[], int dev_num) ACCRUE_NOTHROW;
void acc_async_wait(int wait_arg) ACCRUE_NOTHROW;
void acc_async_wait_all(void) ACCRUE_NOTHROW;
int acc_get_default_async(void) ACCRUE_NOTHROW;
void acc_set_default_async(int async_arg) ACCRUE_NOTHROW;

/* Device memory */
void *acc_malloc(size_t) ACCRUE_NOTHROW;
void acc_free(void *) ACCRUE_NOTHROW;
void acc_memcpy_to_device(void *dev, const void *host, size_t) ACCRUE_NOTHROW;
void acc_memcpy_to_device_async(void *dev, const void *host, size_t, int async_arg) ACCRUE_NOTHROW;
void acc_memcpy_from_device(void *host, const void *dev, size_t) ACCRUE_NOTHROW;
void acc_memcpy_from_device_async(void *host, const void *dev, size_t, int async_arg) ACCRUE_NOTHROW;
void acc_memcpy_device(void *dev_dest, const void *dev_src, size_t) ACCRUE_NOTHROW;
void acc_memcpy_device_async(void *dev_dest, const void *dev_src, size_t, int async_arg) ACCRUE_NOTHROW;
/* These take host addresses of data that is present on its device. As an extension, addresses of device memory. */
void acc_memcpy_d2d(void *dest, const void *src, size_t, int dev_num_dest,
                    int dev_num_src) ACCRUE_NOTHROW;
void acc_memcpy_d2d_async(void *dest, const void *src, size_t, int dev_num_dest,
                          int dev_num_src, int async_arg_src) ACCRUE_NOTHROW;

/* Data */
void *acc_copyin(void *, size_t) ACCRUE_NOTHROW;
void *acc_copyin_async(void *, size_t, int async_arg) ACCRUE_NOTHROW;
void *acc_create(void *, size_t) ACCRUE_NOTHROW;
void *acc_create_async(void *, size_t, int async_arg) ACCRUE_NOTHROW;
void acc_copyout(void *, size_t) ACCRUE_NOTHROW;
void acc_copyout_async(void *, size_t, int async_arg) ACCRUE_NOTHROW;
void acc_copyout_finalize(void *, size_t) ACCRUE_NOTHROW;
void acc_copyout_finalize_async(void *, size_t, int async_arg) ACCRUE_NOTHROW;
void acc_delete(void *, size_t) ACCRUE_NOTHROW;
void acc_delete_async(void *, size_t, int async_arg) ACCRUE_NOTHROW;
void acc_delete_finalize(void *, size_t) ACCRUE_NOTHROW;
void acc_delete_finalize_async(void *, size_t, int async_arg) ACCRUE_NOTHROW;
void acc_update_device(void *, size_t) ACCRUE_NOTHROW;
void acc_update_device_async(void *, size_t, int async_arg) ACCRUE_NOTHROW;
void acc_update_self(void *, size_t) ACCRUE_NOTHROW;
void acc_update_self_async(void *, size_t, int async_arg) ACCRUE_NOTHROW;
void acc_map_data(void *host, void *dev, size_t) ACCRUE_NOTHROW;
void acc_unmap_data(void *host) ACCRUE_NOTHROW;
void *acc_deviceptr(void *host) ACCRUE_NOTHROW;
void *acc_hostptr(void *dev) ACCRUE_NOTHROW;
int acc_is_present(void *, size_t) ACCRUE_NOTHROW;
void acc_attach(void **) ACCRUE_NOTHROW;
void acc_attach_async(void **, int async_arg) ACCRUE_NOTHROW;
void acc_detach(void **) ACCRUE_NOTHROW;
void acc_detach_async(void **, int async_arg) ACCRUE_NOTHROW;
void acc_detach_finalize(void **) ACCRUE_NOTHROW;
void acc_detach_finalize_async(void **, int async_arg) ACCRUE_NOTHROW;

/* Appendix A.2.1: handles of CUDA. Null, and 0 for acc_set_cuda_stream, when the current device is not
 * an NVIDIA GPU. acc_get_current_cuda_device gives the address of the CUdevice. Results of reductions and scalars
 * that a queue copies to the host arrive when OpenACC waits for the queue or tests it; in the order of the stream
 * once acc_get_cuda_stream has been called for the queue. */
void *acc_get_current_cuda_device(void) ACCRUE_NOTHROW;
void *acc_get_current_cuda_context(void) ACCRUE_NOTHROW;
void *acc_get_cuda_stream(int async_arg) ACCRUE_NOTHROW;
int acc_set_cuda_stream(int async_arg, void *stream) ACCRUE_NOTHROW;

/* Appendix A.2.3 of OpenACC 2.0: handles of OpenCL, a cl_device_id, a cl_context and cl_command_queues. Null, and without effect, when the current
 * device is not behind OpenCL. */
void *acc_get_current_opencl_device(void) ACCRUE_NOTHROW;
void *acc_get_current_opencl_context(void) ACCRUE_NOTHROW;
void *acc_get_opencl_queue(int async_arg) ACCRUE_NOTHROW;
void acc_set_opencl_queue(int async_arg, void *queue) ACCRUE_NOTHROW;

/* Extensions: the same by other names. accrue_set_opencl_queue gives 0 when the current device is not behind OpenCL, else 1.
 * accrue_opencl_report has a line for each device that OpenCL offers, used or not. */
void *accrue_get_opencl_device(void) ACCRUE_NOTHROW;
void *accrue_get_opencl_context(void) ACCRUE_NOTHROW;
void *accrue_get_opencl_queue(int async_arg) ACCRUE_NOTHROW;
int accrue_set_opencl_queue(int async_arg, void *queue) ACCRUE_NOTHROW;
char *accrue_opencl_report(void) ACCRUE_NOTHROW;

/* Names of earlier versions of the specification */
void *acc_pcopyin(void *, size_t) ACCRUE_NOTHROW;
void *acc_present_or_copyin(void *, size_t) ACCRUE_NOTHROW;
void *acc_pcreate(void *, size_t) ACCRUE_NOTHROW;
void *acc_present_or_create(void *, size_t) ACCRUE_NOTHROW;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
