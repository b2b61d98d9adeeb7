// Measures what the runtime's design depends on: device attributes, and what the driver's calls cost on this machine.
// Uses the driver library alone, opened at run time, so that it can be built where there is no CUDA.
//
//     cc -O2 -pthread probe.c -o probe -ldl      probe [GIBIBYTES]
//
// Prints `probe NAME value unit` lines. Times are the smallest and the median of many.

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The part of the driver interface that is used here.
typedef int Device;
typedef void *Handle;
typedef unsigned long long Address;

#define CALLS(X)                                                                                  \
    X(cuInit, "cuInit", (unsigned))                                                               \
    X(driver_version, "cuDriverGetVersion", (int *))                                              \
    X(error_name, "cuGetErrorName", (int, const char **))                                         \
    X(device_get, "cuDeviceGet", (Device *, int))                                                 \
    X(device_name, "cuDeviceGetName", (char *, int, Device))                                      \
    X(device_memory, "cuDeviceTotalMem_v2", (size_t *, Device))                                   \
    X(device_attribute, "cuDeviceGetAttribute", (int *, int, Device))                             \
    X(primary_flags, "cuDevicePrimaryCtxSetFlags_v2", (Device, unsigned))                         \
    X(primary_retain, "cuDevicePrimaryCtxRetain", (Handle *, Device))                             \
    X(primary_release, "cuDevicePrimaryCtxRelease_v2", (Device))                                  \
    X(set_current, "cuCtxSetCurrent", (Handle))                                                   \
    X(context_wait, "cuCtxSynchronize", (void))                                                   \
    X(module_load, "cuModuleLoadData", (Handle *, const void *))                                  \
    X(module_function, "cuModuleGetFunction", (Handle *, Handle, const char *))                   \
    X(launch, "cuLaunchKernel", (Handle, unsigned, unsigned, unsigned, unsigned, unsigned,        \
                                 unsigned, unsigned, Handle, void **, void **))                   \
    X(stream_create, "cuStreamCreate", (Handle *, unsigned))                                      \
    X(stream_wait, "cuStreamSynchronize", (Handle))                                               \
    X(stream_query, "cuStreamQuery", (Handle))                                                    \
    X(event_create, "cuEventCreate", (Handle *, unsigned))                                        \
    X(event_record, "cuEventRecord", (Handle, Handle))                                            \
    X(event_query, "cuEventQuery", (Handle))                                                      \
    X(event_wait, "cuEventSynchronize", (Handle))                                                 \
    X(alloc, "cuMemAlloc_v2", (Address *, size_t))                                                \
    X(release, "cuMemFree_v2", (Address))                                                         \
    X(alloc_async, "cuMemAllocAsync", (Address *, size_t, Handle))                                \
    X(release_async, "cuMemFreeAsync", (Address, Handle))                                         \
    X(default_pool, "cuDeviceGetDefaultMemPool", (Handle *, Device))                              \
    X(pool_set, "cuMemPoolSetAttribute", (Handle, int, void *))                                   \
    X(host_alloc, "cuMemHostAlloc", (void **, size_t, unsigned))                                  \
    X(host_free, "cuMemFreeHost", (void *))                                                       \
    X(host_register, "cuMemHostRegister_v2", (void *, size_t, unsigned))                          \
    X(host_unregister, "cuMemHostUnregister", (void *))                                           \
    X(to_device, "cuMemcpyHtoD_v2", (Address, const void *, size_t))                              \
    X(to_host, "cuMemcpyDtoH_v2", (void *, Address, size_t))                                      \
    X(to_device_async, "cuMemcpyHtoDAsync_v2", (Address, const void *, size_t, Handle))           \
    X(to_host_async, "cuMemcpyDtoHAsync_v2", (void *, Address, size_t, Handle))                   \
    X(fill_async, "cuMemsetD8Async", (Address, unsigned char, size_t, Handle))

#define DECLARE(name, symbol, parameters) static int(*name) parameters;
CALLS(DECLARE)

static void open_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "probe: %s\n", dlerror());
        exit(1);
    }
#define FIND(name, symbol, parameters)                                                            \
    *(void **)&name = dlsym(library, symbol);                                                     \
    if (!name) {                                                                                  \
        fprintf(stderr, "probe: the driver has no %s\n", symbol);                                 \
        exit(1);                                                                                  \
    }
    CALLS(FIND)
}

static void check(int status, const char *what, int line)
{
    if (status) {
        const char *name = "unknown error";
        error_name(status, &name);
        fprintf(stderr, "probe: line %d: %s: %s\n", line, what, name);
        exit(1);
    }
}
#define CHECK(call) check(call, #call, __LINE__)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Runs the statements `count` times and prints the smallest and the median time in microseconds.
#define MEASURE(name, count, ...)                                                                 \
    do {                                                                                          \
        static double times_[count];                                                              \
        for (int k_ = -(count) / 10; k_ < (count); k_++) {                                        \
            double begin_ = now();                                                                \
            __VA_ARGS__;                                                                          \
            if (k_ >= 0)                                                                          \
                times_[k_] = now() - begin_;                                                      \
        }                                                                                         \
        qsort(times_, count, sizeof *times_, by_size);                                            \
        printf("probe %-46s min %9.2f median %9.2f us\n", name, 1e6 * times_[0],                  \
               1e6 * times_[(count) / 2]);                                                        \
        fflush(stdout);                                                                           \
    } while (0)

// `empty` does nothing; `flag` writes a number to memory that the host reads.
static const char ptx[] = ".version 7.0\n.target sm_60\n.address_size 64\n"
                          ".visible .entry empty()\n{\n ret;\n}\n"
                          ".visible .entry flag(.param .u64 to, .param .u32 value)\n{\n"
                          " .reg .u64 %a;\n .reg .u32 %v;\n"
                          " ld.param.u64 %a, [to];\n ld.param.u32 %v, [value];\n"
                          " cvta.to.global.u64 %a, %a;\n st.global.u32 [%a], %v;\n membar.sys;\n ret;\n}\n"
                          ".visible .entry eight(.param .align 8 .b8 args[64], .param .u64 scratch)\n{\n ret;\n}\n";

static Device gpu;
static Handle empty, flag, eight;

static void attributes(void)
{
    static const struct {
        const char *name;
        int number;
    } wanted[] = {
        {"compute_capability_major", 75}, {"compute_capability_minor", 76}, {"multiprocessors", 16},
        {"clock_khz", 13}, {"memory_clock_khz", 36}, {"memory_bus_bits", 37}, {"l2_bytes", 38},
        {"threads_per_block", 1}, {"threads_per_multiprocessor", 39}, {"blocks_per_multiprocessor", 106},
        {"registers_per_block", 12}, {"registers_per_multiprocessor", 82}, {"shared_per_block", 8},
        {"shared_per_block_optin", 97}, {"shared_per_multiprocessor", 81}, {"shared_reserved_per_block", 111},
        {"copy_engines", 40}, {"unified_addressing", 41}, {"pageable_memory_access", 88},
        {"pageable_uses_host_tables", 100}, {"concurrent_managed_access", 89}, {"memory_pools", 115},
        {"integrated", 18}, {"can_map_host_memory", 19}, {"host_native_atomics", 86},
        {"stream_priorities", 78}, {"cooperative_launch", 95},
    };
    char name[256];
    size_t memory;
    int version;
    CHECK(driver_version(&version));
    CHECK(device_name(name, sizeof name, gpu));
    CHECK(device_memory(&memory, gpu));
    printf("probe device %s, %zu bytes, driver interface %d\n", name, memory, version);
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        int value;
        if (device_attribute(&value, wanted[k].number, gpu) == 0)
            printf("probe attribute %-34s %d\n", wanted[k].name, value);
    }
}

static void load(void)
{
    Handle module;
    double begin = now();
    CHECK(module_load(&module, ptx));
    printf("probe %-46s %9.2f us\n", "load a small PTX module", 1e6 * (now() - begin));
    CHECK(module_function(&empty, module, "empty"));
    CHECK(module_function(&flag, module, "flag"));
    CHECK(module_function(&eight, module, "eight"));
}

static void start(Handle kernel, Handle stream, void **arguments)
{
    CHECK(launch(kernel, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL));
}

static void launches(const char *flags_name)
{
    Handle stream, event, event_blocking;
    volatile unsigned *host;
    unsigned number = 0;
    char name[96];
    CHECK(stream_create(&stream, 1 /* does not wait for the null stream */));
    CHECK(event_create(&event, 2 /* no timing */));
    CHECK(event_create(&event_blocking, 2 | 1));
    CHECK(host_alloc((void **)&host, 4096, 3 /* portable, mapped */));
    *host = 0;
    unsigned long long block[8] = {0}, scratch = 0;
    void *args[] = {block, &scratch}, *flag_args[] = {&host, &number};
#define NAMED(text) (snprintf(name, sizeof name, "[%s] %s", flags_name, text), name)
    MEASURE(NAMED("null stream, context wait"), 5000, start(empty, NULL, NULL); CHECK(context_wait()));
    MEASURE(NAMED("null stream, stream wait"), 5000, start(empty, NULL, NULL); CHECK(stream_wait(NULL)));
    MEASURE(NAMED("own stream, stream wait"), 5000, start(empty, stream, NULL); CHECK(stream_wait(stream)));
    MEASURE(NAMED("own stream, 8 arguments, stream wait"), 5000, start(eight, stream, args);
            CHECK(stream_wait(stream)));
    MEASURE(NAMED("own stream, polling cuStreamQuery"), 5000, start(empty, stream, NULL);
            while (stream_query(stream)));
    MEASURE(NAMED("own stream, event, polling cuEventQuery"), 5000, start(empty, stream, NULL);
            CHECK(event_record(event, stream)); while (event_query(event)));
    MEASURE(NAMED("own stream, event, cuEventSynchronize"), 5000, start(empty, stream, NULL);
            CHECK(event_record(event, stream)); CHECK(event_wait(event)));
    MEASURE(NAMED("own stream, blocking event"), 2000, start(empty, stream, NULL);
            CHECK(event_record(event_blocking, stream)); CHECK(event_wait(event_blocking)));
    MEASURE(NAMED("kernel writes to the host, host polls that"), 5000, number++; start(flag, stream, flag_args);
            while (*host != number));
    CHECK(stream_wait(stream));
    MEASURE(NAMED("10000 launches, null stream, one wait"), 20,
            for (int k = 0; k < 10000; k++) start(empty, NULL, NULL); CHECK(stream_wait(NULL)));
    MEASURE(NAMED("10000 launches, own stream, one wait"), 20,
            for (int k = 0; k < 10000; k++) start(empty, stream, NULL); CHECK(stream_wait(stream)));
    MEASURE(NAMED("10000 launches, 8 arguments, one wait"), 20,
            for (int k = 0; k < 10000; k++) start(eight, stream, args); CHECK(stream_wait(stream)));
    CHECK(host_free((void *)host));
}

static void small_copies(void)
{
    Handle stream;
    Address device;
    char pageable[64] = {0}, *pinned;
    CHECK(stream_create(&stream, 1));
    CHECK(alloc(&device, 4096));
    CHECK(host_alloc((void **)&pinned, 4096, 3));
    MEASURE("8 bytes to the host, pageable, cuMemcpyDtoH", 2000, CHECK(to_host(pageable, device, 8)));
    MEASURE("8 bytes to the host, pinned, async and wait", 2000, CHECK(to_host_async(pinned, device, 8, stream));
            CHECK(stream_wait(stream)));
    MEASURE("launch, 8 bytes to the host, pinned, wait", 2000, start(empty, stream, NULL);
            CHECK(to_host_async(pinned, device, 8, stream)); CHECK(stream_wait(stream)));
    MEASURE("8 bytes to the device, pageable, cuMemcpyHtoD", 2000, CHECK(to_device(device, pageable, 8)));
    MEASURE("8 bytes to the device, pinned, async and wait", 2000,
            CHECK(to_device_async(device, pinned, 8, stream)); CHECK(stream_wait(stream)));
    MEASURE("8 bytes to the device, launch, wait", 2000, CHECK(to_device_async(device, pinned, 8, stream));
            start(empty, stream, NULL); CHECK(stream_wait(stream)));
    MEASURE("fill 8 bytes, launch, wait", 2000, CHECK(fill_async(device, 0, 8, stream)); start(empty, stream, NULL);
            CHECK(stream_wait(stream)));
    CHECK(host_free(pinned));
    CHECK(release(device));
}

static void allocations(void)
{
    Handle stream, pool;
    unsigned long long keep = ~0ull;
    char name[96];
    CHECK(stream_create(&stream, 1));
    for (int kept = 0; kept < 2; kept++) {
        for (int power = 12; power <= 30; power += 6) {
            size_t bytes = (size_t)1 << power;
            Address p;
            if (!kept) {
                snprintf(name, sizeof name, "cuMemAlloc + cuMemFree, 2^%d bytes", power);
                MEASURE(name, 50, CHECK(alloc(&p, bytes)); CHECK(release(p)));
            }
            snprintf(name, sizeof name, "cuMemAllocAsync + cuMemFreeAsync, 2^%d%s", power, kept ? ", kept" : "");
            MEASURE(name, 50, CHECK(alloc_async(&p, bytes, stream)); CHECK(release_async(p, stream));
                    CHECK(stream_wait(stream)));
        }
        CHECK(default_pool(&pool, gpu));
        CHECK(pool_set(pool, 4 /* release threshold */, &keep));
    }
    for (int power = 20; power <= 28; power += 4) {
        void *p;
        snprintf(name, sizeof name, "cuMemHostAlloc + cuMemFreeHost, 2^%d bytes", power);
        MEASURE(name, 10, CHECK(host_alloc(&p, (size_t)1 << power, 1)); CHECK(host_free(p)));
    }
}

// One thread of a staged copy: chunks number, number + threads, … through two pinned buffers of its own.
struct stager {
    pthread_t thread;
    int number, threads, to_gpu;
    char *memory, *buffer[2];
    Address device;
    size_t bytes, chunk;
    Handle context, stream, done[2];
};

static void *stage(void *argument)
{
    struct stager *s = argument;
    size_t offset[2] = {0}, length[2] = {0};
    CHECK(set_current(s->context));
    int turn = 0;
    for (size_t at = (size_t)s->number * s->chunk;; at += (size_t)s->threads * s->chunk, turn ^= 1) {
        // The buffer's previous chunk must be through before it is used again.
        if (length[turn]) {
            CHECK(event_wait(s->done[turn]));
            if (!s->to_gpu)
                memcpy(s->memory + offset[turn], s->buffer[turn], length[turn]);
            length[turn] = 0;
        }
        if (at >= s->bytes)
            break;
        offset[turn] = at;
        length[turn] = s->bytes - at < s->chunk ? s->bytes - at : s->chunk;
        if (s->to_gpu) {
            memcpy(s->buffer[turn], s->memory + at, length[turn]);
            CHECK(to_device_async(s->device + at, s->buffer[turn], length[turn], s->stream));
        } else {
            CHECK(to_host_async(s->buffer[turn], s->device + at, length[turn], s->stream));
        }
        CHECK(event_record(s->done[turn], s->stream));
    }
    turn ^= 1;
    if (length[turn]) {
        CHECK(event_wait(s->done[turn]));
        if (!s->to_gpu)
            memcpy(s->memory + offset[turn], s->buffer[turn], length[turn]);
    }
    return NULL;
}

static void staged(Handle context, char *memory, Address device, size_t bytes, int threads, size_t chunk)
{
    struct stager s[16];
    for (int t = 0; t < threads; t++) {
        s[t] = (struct stager){.number = t, .threads = threads, .memory = memory, .device = device, .bytes = bytes,
                               .chunk = chunk, .context = context};
        CHECK(stream_create(&s[t].stream, 1));
        for (int b = 0; b < 2; b++) {
            CHECK(host_alloc((void **)&s[t].buffer[b], chunk, 1));
            CHECK(event_create(&s[t].done[b], 2));
        }
    }
    for (int to_gpu = 1; to_gpu >= 0; to_gpu--) {
        double best = 1e30;
        for (int lap = 0; lap < 4; lap++) {
            double begin = now();
            for (int t = 0; t < threads; t++) {
                s[t].to_gpu = to_gpu;
                pthread_create(&s[t].thread, NULL, stage, &s[t]);
            }
            for (int t = 0; t < threads; t++)
                pthread_join(s[t].thread, NULL);
            double time = now() - begin;
            best = time < best ? time : best;
        }
        printf("probe staged %s, %2d threads, chunks of %2zu MiB %20.2f GB/s\n", to_gpu ? "h2d" : "d2h", threads,
               chunk >> 20, 1e-9 * (double)bytes / best);
        fflush(stdout);
    }
    for (int t = 0; t < threads; t++)
        for (int b = 0; b < 2; b++)
            CHECK(host_free(s[t].buffer[b]));
}

static void direct(const char *name, char *memory, Address device, size_t bytes)
{
    for (int to_gpu = 1; to_gpu >= 0; to_gpu--) {
        double best = 1e30;
        for (int lap = 0; lap < 4; lap++) {
            double begin = now();
            if (to_gpu)
                CHECK(to_device(device, memory, bytes));
            else
                CHECK(to_host(memory, device, bytes));
            double time = now() - begin;
            best = time < best ? time : best;
        }
        printf("probe %s %s %30.2f GB/s\n", name, to_gpu ? "h2d" : "d2h", 1e-9 * (double)bytes / best);
        fflush(stdout);
    }
}

static void big_copies(Handle context, size_t bytes)
{
    static const int threads[] = {1, 2, 4, 6, 8, 12};
    static const size_t mebibytes[] = {1, 4, 16};
    Address device;
    char *pinned, *memory = aligned_alloc(4096, bytes);
    if (!memory)
        exit(1);
    memset(memory, 1, bytes);
    CHECK(alloc(&device, bytes));
    double begin = now();
    CHECK(host_alloc((void **)&pinned, bytes, 1));
    printf("probe %-46s %9.2f ms\n", "cuMemHostAlloc of it all", 1e3 * (now() - begin));
    memset(pinned, 1, bytes);
    direct("pinned", pinned, device, bytes);
    CHECK(host_free(pinned));
    direct("pageable, the driver's own way,", memory, device, bytes);
    for (size_t c = 0; c < sizeof mebibytes / sizeof *mebibytes; c++)
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
            staged(context, memory, device, bytes, threads[t], mebibytes[c] << 20);
    begin = now();
    int status = host_register(memory, bytes, 0);
    printf("probe %-46s %9.2f ms%s\n", "cuMemHostRegister of it all", 1e3 * (now() - begin),
           status ? " (refused)" : "");
    if (!status) {
        direct("registered", memory, device, bytes);
        begin = now();
        CHECK(host_unregister(memory));
        printf("probe %-46s %9.2f ms\n", "cuMemHostUnregister of it all", 1e3 * (now() - begin));
    }
    CHECK(release(device));
    free(memory);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        unsigned flags;
    } waits[] = {{"auto", 0}, {"spin", 1}, {"yield", 2}, {"blocking", 4}};
    size_t bytes = (size_t)(argc > 1 ? atoi(argv[1]) : 1) << 30;
    Handle context;
    open_driver();
    double begin = now();
    CHECK(cuInit(0));
    printf("probe %-46s %9.2f ms\n", "cuInit", 1e3 * (now() - begin));
    CHECK(device_get(&gpu, 0));
    attributes();
    for (size_t k = 0; k < sizeof waits / sizeof *waits; k++) {
        begin = now();
        CHECK(primary_flags(gpu, waits[k].flags));
        CHECK(primary_retain(&context, gpu));
        CHECK(set_current(context));
        printf("probe [%s] %-39s %9.2f ms\n", waits[k].name, "primary context", 1e3 * (now() - begin));
        load();
        launches(waits[k].name);
        if (waits[k].flags == 1) {
            small_copies();
            allocations();
            big_copies(context, bytes);
        }
        CHECK(primary_release(gpu));
    }
    return 0;
}
