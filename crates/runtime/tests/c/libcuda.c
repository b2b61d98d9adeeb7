/* A stand-in for NVIDIA's libcuda.so.1, for tests on machines without a GPU.
 *
 * Device memory is host memory. Streams are lists of operations that are executed as late as possible: when somebody
 * waits for them. So a missing wait or a buffer that is reused too early shows as a wrong result. Pageable memory is
 * treated as the driver's documentation says: bytes to the device are taken at once, and a copy to pageable memory
 * waits for its stream. Each device has a context: launches and events in another context's stream are refused, as are
 * kernels that use another device's memory; copies may go from device to device.
 *
 * There is no PTX here. A kernel's name says what it does and how many argument words it has:
 *     add_N     first word: array of 64-bit numbers, second: their count, third: what is added to each
 *     sum_N     adds the number that the second word points to, to the one that the first points to
 *     total_N   the head of the scratch memory must be zero; the first word points to the result, which becomes the
 *               sum over all gangs and workers of (worker + 1)
 *     into_N    adds the third word to the numbers that the other two point to, on the device or in pinned memory
 *     fault_N   fails with CUDA_ERROR_ILLEGAL_ADDRESS, as does everything afterwards
 * Text that contains BAD cannot be translated; text that contains FUTURE needs a newer driver.
 *
 * Environment: STUB_LOG=1 writes launches, waits, copies, allocations and module loads to stderr; STUB_INIT=n makes cuInit fail with n;
 * STUB_DEVICES=n; STUB_MEMORY=bytes.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef int CUresult;
enum { OK = 0, INVALID = 1, OOM = 2, NO_DEVICE = 100, INVALID_PTX = 218, NEWER_PTX = 222, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL = 700 };

typedef struct Op Op;
struct Op {
    enum { COPY, COPY2D, SET, HOST, WAIT, LAUNCH } kind;
    uint64_t to, from, bytes, to_pitch, from_pitch, height;
    void *owned;
    void (*call)(void *);
    struct Stream *other; /* what to wait for: so many operations of that stream */
    uint64_t count;
    struct Function *function;
    void *context;
    uint64_t words[32], scratch;
    unsigned grid, x, y, shared;
    Op *next;
};
typedef struct Stream { int number; void *context; Op *first, **last; uint64_t put, done; } Stream;
typedef struct Event { Stream *stream; void *context; uint64_t count; } Event;
typedef struct Function { char name[64]; void *context; int words; } Function;

static pthread_mutex_t lock;
static int streams, error, launches;
static size_t used;
static struct { char *start; size_t bytes; int pinned; void *context; } ranges[4096];
static int nranges;
static __thread void *current;
static int contexts[16];

__attribute__((constructor)) static void start(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
}

static void die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "stub libcuda: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    _Exit(99);
}

static void take(void)
{
    if (pthread_mutex_lock(&lock))
        die("a host function has called the driver");
}
static CUresult give(CUresult result)
{
    pthread_mutex_unlock(&lock);
    return result;
}
static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}
static void note(const char *format, ...)
{
    static int wanted = -1;
    if (wanted < 0)
        wanted = getenv("STUB_LOG") != 0;
    if (!wanted)
        return;
    char line[200];
    int start = snprintf(line, sizeof line, "stub: ");
    va_list list;
    va_start(list, format);
    vsnprintf(line + start, sizeof line - start, format, list);
    va_end(list);
    fprintf(stderr, "%s\n", line);
}
static void need_context(void)
{
    if (!current)
        die("no current context");
}
static int find(uint64_t address, uint64_t bytes)
{
    for (int i = 0; i < nranges; i++)
        if (ranges[i].start && address >= (uint64_t)ranges[i].start &&
            address + bytes <= (uint64_t)ranges[i].start + ranges[i].bytes)
            return i;
    return -1;
}
static int is_pinned(uint64_t address)
{
    int i = find(address, 1);
    return i >= 0 && ranges[i].pinned;
}
static void need_device(uint64_t address, uint64_t bytes)
{
    int i = find(address, bytes);
    if (i < 0 || ranges[i].pinned)
        die("%llu bytes at %#llx are not device memory", (unsigned long long)bytes, (unsigned long long)address);
}
static void need_own(const Op *op, uint64_t address, uint64_t bytes)
{
    need_device(address, bytes);
    if (ranges[find(address, bytes)].context != op->context)
        die("kernel %s uses another device's memory", op->function->name);
}
static void need_own_stream(const Stream *stream, const char *what)
{
    need_context();
    if (stream && stream->context != current)
        die("%s in a stream of another context", what);
}
static void add_range(void *start, size_t bytes, int pinned)
{
    if (nranges == 4096)
        die("too many allocations");
    ranges[nranges].context = current;
    ranges[nranges].start = start;
    ranges[nranges].bytes = bytes;
    ranges[nranges++].pinned = pinned;
}

static void run_until(Stream *stream, uint64_t count);

static void run_kernel(Op *op)
{
    if (!strncmp(op->function->name, "add_", 4)) {
        uint64_t *a = (uint64_t *)op->words[0];
        need_own(op, op->words[0], 8 * op->words[1]);
        for (uint64_t i = 0; i < op->words[1]; i++)
            a[i] += op->words[2];
    } else if (!strncmp(op->function->name, "sum_", 4)) {
        need_own(op, op->words[0], 8);
        need_own(op, op->words[1], 8);
        *(uint64_t *)op->words[0] += *(uint64_t *)op->words[1];
    } else if (!strncmp(op->function->name, "total_", 6)) {
        char *scratch = (char *)op->scratch;
        need_own(op, op->scratch, 4096 + 16 * op->grid);
        need_own(op, op->words[0], 4);
        for (int i = 0; i < 4096; i++)
            if (scratch[i])
                die("the head of the scratch memory is not zero");
        memset(scratch + 4096, 1, 16 * op->grid);
        *(unsigned *)op->words[0] = op->grid * op->y * (op->y + 1) / 2;
    } else if (!strncmp(op->function->name, "into_", 5)) {
        for (int i = 0; i < 2; i++) {
            if (!is_pinned(op->words[i]))
                need_own(op, op->words[i], 8);
            *(uint64_t *)op->words[i] += op->words[2];
        }
    } else if (!strncmp(op->function->name, "fault_", 6))
        error = ILLEGAL;
    else
        die("unknown kernel %s", op->function->name);
}

static void run(Op *op)
{
    switch (op->kind) {
    case COPY:
        memmove((void *)op->to, (void *)op->from, op->bytes);
        break;
    case COPY2D:
        for (uint64_t row = 0; row < op->height; row++)
            memcpy((char *)op->to + row * op->to_pitch, (char *)op->from + row * op->from_pitch, op->bytes);
        break;
    case SET:
        memset((void *)op->to, 0, op->bytes);
        break;
    case HOST:
        op->call(op->owned);
        op->owned = 0;
        break;
    case WAIT:
        run_until(op->other, op->count);
        break;
    case LAUNCH:
        run_kernel(op);
        break;
    }
    free(op->owned);
}

static void run_until(Stream *stream, uint64_t count)
{
    while (stream->done < count && stream->first) {
        Op *op = stream->first;
        stream->first = op->next;
        if (!stream->first)
            stream->last = &stream->first;
        stream->done++;
        if (!error)
            run(op);
        free(op);
    }
}

static Op *put(Stream *stream, int kind)
{
    Op *op = calloc(1, sizeof *op);
    need_context();
    if (!stream)
        die("the default stream is used");
    op->kind = kind;
    *stream->last = op;
    stream->last = &op->next;
    stream->put++;
    return op;
}

CUresult cuInit(unsigned flags) { return flags ? INVALID : setting("STUB_INIT", OK); }
CUresult cuDriverGetVersion(int *version) { *version = 12040; return OK; }
CUresult cuDeviceGetCount(int *count) { *count = setting("STUB_DEVICES", 1); return OK; }
CUresult cuDeviceGet(int *device, int ordinal) { *device = ordinal + 100; return OK; }
CUresult cuDeviceGetName(char *name, int bytes, int device)
{
    snprintf(name, bytes, "Stub GPU %d", device - 100);
    return OK;
}
CUresult cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 16 ? 4 : attribute == 39 ? 2048 : 0;
    return OK;
}
CUresult cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = setting("STUB_MEMORY", 1 << 30);
    return OK;
}
CUresult cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) { (void)device; (void)flags; return OK; }
CUresult cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    (void)device;
    *flags = *active = 0;
    return OK;
}
CUresult cuDevicePrimaryCtxRetain(void **context, int device) { *context = &contexts[device - 100]; return OK; }
CUresult cuCtxGetCurrent(void **context) { *context = current; return OK; }
CUresult cuCtxSetLimit(int limit, size_t value) { (void)limit; (void)value; return OK; }
CUresult cuCtxSetCurrent(void *context) { current = context; return OK; }
CUresult cuMemGetInfo_v2(size_t *free, size_t *total)
{
    need_context();
    *total = setting("STUB_MEMORY", 1 << 30);
    *free = *total - used;
    return OK;
}
CUresult cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    note("allocate");
    take();
    need_context();
    if (error)
        return give(error);
    if (used + bytes > (size_t)setting("STUB_MEMORY", 1 << 30))
        return give(OOM);
    char *start = aligned_alloc(512, (bytes + 511) / 512 * 512);
    memset(start, 0x5a, bytes);
    used += bytes;
    add_range(start, bytes, 0);
    *address = (uint64_t)start;
    return give(OK);
}
CUresult cuMemFree_v2(uint64_t address)
{
    take();
    int i = find(address, 1);
    if (i < 0 || ranges[i].start != (char *)address)
        die("cuMemFree of %#llx", (unsigned long long)address);
    used -= ranges[i].bytes;
    free(ranges[i].start);
    ranges[i].start = 0;
    return give(OK);
}
CUresult cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t address)
{
    int i = find(address, 1);
    if (i < 0)
        return INVALID;
    *base = (uint64_t)ranges[i].start;
    *bytes = ranges[i].bytes;
    return OK;
}
CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    if (flags != 3)
        die("pinned memory for one GPU only, or out of reach for kernels");
    note("allocate pinned");
    take();
    need_context();
    *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    add_range(*memory, bytes, 1);
    return give(OK);
}
CUresult cuPointerGetAttribute(void *data, int attribute, uint64_t address)
{
    int i = find(address, 1);
    if (attribute != 2 || i < 0)
        return INVALID;
    *(unsigned *)data = ranges[i].pinned ? 1 : 2;
    return OK;
}
CUresult cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, Stream *stream)
{
    note("copy %zu", bytes);
    take();
    need_device(to, bytes);
    need_device(from, bytes);
    Op *op = put(stream, COPY);
    op->to = to, op->from = from, op->bytes = bytes;
    return give(error);
}
CUresult cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, Stream *stream)
{
    note("copy in %zu", bytes);
    take();
    need_device(to, bytes);
    Op *op = put(stream, COPY);
    op->to = to, op->from = (uint64_t)from, op->bytes = bytes;
    if (!is_pinned(op->from)) {
        op->owned = memcpy(malloc(bytes), from, bytes);
        op->from = (uint64_t)op->owned;
    }
    return give(error);
}
CUresult cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, Stream *stream)
{
    note("copy out %zu", bytes);
    take();
    need_device(from, bytes);
    Op *op = put(stream, COPY);
    op->to = (uint64_t)to, op->from = from, op->bytes = bytes;
    if (!is_pinned(op->to))
        run_until(stream, stream->put);
    return give(error);
}
struct copy2d {
    size_t src_x, src_y;
    int src_type;
    const void *src_host;
    uint64_t src_device;
    void *src_array;
    size_t src_pitch, dst_x, dst_y;
    int dst_type;
    void *dst_host;
    uint64_t dst_device;
    void *dst_array;
    size_t dst_pitch, width, height;
};
CUresult cuMemcpy2DAsync_v2(const struct copy2d *copy, Stream *stream)
{
    take();
    Op *op = put(stream, COPY2D);
    op->to = copy->dst_type == 2 ? copy->dst_device : (uint64_t)copy->dst_host;
    op->from = copy->src_type == 2 ? copy->src_device : (uint64_t)copy->src_host;
    op->to_pitch = copy->dst_pitch, op->from_pitch = copy->src_pitch;
    op->bytes = copy->width, op->height = copy->height;
    if (copy->dst_type == 2)
        need_device(op->to, op->to_pitch * (op->height - 1) + op->bytes);
    else
        need_device(op->from, op->from_pitch * (op->height - 1) + op->bytes);
    if (!is_pinned(copy->dst_type == 2 ? op->from : op->to))
        run_until(stream, stream->put);
    note("copy of %zu rows", copy->height);
    return give(error);
}
CUresult cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, Stream *stream)
{
    note("clear %zu", bytes);
    take();
    need_device(to, bytes);
    if (byte)
        die("only zeros");
    Op *op = put(stream, SET);
    op->to = to, op->bytes = bytes;
    return give(error);
}
CUresult cuStreamCreate(Stream **stream, unsigned flags)
{
    take();
    need_context();
    if (flags != 1)
        die("a blocking stream");
    *stream = calloc(1, sizeof **stream);
    (*stream)->context = current;
    (*stream)->number = ++streams;
    (*stream)->last = &(*stream)->first;
    return give(error);
}
CUresult cuStreamSynchronize(Stream *stream)
{
    note("wait");
    take();
    run_until(stream, stream->put);
    return give(error);
}
CUresult cuStreamQuery(Stream *stream)
{
    take();
    CUresult result = stream->done < stream->put ? NOT_READY : OK;
    run_until(stream, stream->done + 1);
    return give(error ? error : result);
}
CUresult cuStreamWaitEvent(Stream *stream, Event *event, unsigned flags)
{
    (void)flags;
    take();
    Op *op = put(stream, WAIT);
    op->other = event->stream, op->count = event->count;
    return give(error);
}
CUresult cuEventCreate(Event **event, unsigned flags)
{
    (void)flags;
    need_context();
    *event = calloc(1, sizeof **event);
    (*event)->context = current;
    return OK;
}
CUresult cuEventRecord(Event *event, Stream *stream)
{
    take();
    need_own_stream(stream, "an event");
    if (event->context != stream->context)
        die("an event of another context");
    event->stream = stream, event->count = stream->put;
    return give(error);
}
CUresult cuEventQuery(Event *event)
{
    take();
    CUresult result = event->stream->done < event->count ? NOT_READY : OK;
    if (result)
        run_until(event->stream, event->stream->done + 1);
    return give(error ? error : result);
}
CUresult cuEventSynchronize(Event *event)
{
    take();
    run_until(event->stream, event->count);
    return give(error);
}
CUresult cuLaunchHostFunc(Stream *stream, void (*call)(void *), void *data)
{
    take();
    Op *op = put(stream, HOST);
    op->call = call, op->owned = data;
    return give(error);
}
CUresult cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values)
{
    need_context();
    note("load %.20s", (const char *)image);
    if (strstr(image, "FUTURE"))
        return NEWER_PTX;
    if (strstr(image, "BAD")) {
        if (count < 2 || options[0] != 5 || options[1] != 6)
            die("no buffer for the log of errors");
        snprintf(values[0], (size_t)values[1], "ptxas: line 3: syntax error");
        return INVALID_PTX;
    }
    *module = (void *)image;
    return OK;
}
CUresult cuModuleGetFunction(Function **function, void *module, const char *name)
{
    (void)module;
    need_context();
    *function = calloc(1, sizeof **function);
    (*function)->context = current;
    snprintf((*function)->name, sizeof (*function)->name, "%s", name);
    (*function)->words = atoi(strrchr(name, '_') + 1);
    return OK;
}
/* No module of the tests has variables. */
CUresult cuModuleGetGlobal_v2(unsigned long long *address, size_t *bytes, void *module, const char *name)
{
    (void)address, (void)bytes, (void)module, (void)name;
    return NOT_FOUND;
}
CUresult cuFuncGetAttribute(int *value, int attribute, Function *function)
{
    (void)function;
    *value = attribute == 0 ? 1024 : attribute == 4 ? 40 : attribute == 1 ? 64 : attribute == 3 ? 24 : 0;
    return OK;
}
CUresult cuFuncSetAttribute(Function *function, int attribute, int value)
{
    (void)function;
    return attribute == 8 && value <= 200 << 10 ? OK : INVALID;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *function, int threads, size_t shared)
{
    (void)function;
    (void)shared;
    *blocks = 2048 / threads;
    return OK;
}
CUresult cuLaunchKernel(Function *function, unsigned gx, unsigned gy, unsigned gz, unsigned x, unsigned y, unsigned z,
                        unsigned shared, Stream *stream, void **parameters, void **extra)
{
    take();
    if (gy != 1 || gz != 1 || z != 1 || extra)
        die("a launch of another form");
    need_own_stream(stream, "a launch");
    if (function->context != current)
        die("kernel %s of another context", function->name);
    Op *op = put(stream, LAUNCH);
    op->function = function;
    op->context = current;
    op->grid = gx, op->x = x, op->y = y, op->shared = shared;
    if (function->words)
        memcpy(op->words, parameters[0], 8 * function->words);
    memcpy(&op->scratch, parameters[function->words ? 1 : 0], 8);
    note("launch %s grid=%u block=%ux%u shared=%u scratch=%s", function->name, gx, x, y, shared,
         op->scratch ? "yes" : "no");
    launches++;
    return give(error);
}
CUresult cuGetErrorName(int code, const char **name)
{
    *name = code == ILLEGAL       ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : code == NO_DEVICE   ? "CUDA_ERROR_NO_DEVICE"
            : code == INVALID_PTX ? "CUDA_ERROR_INVALID_PTX"
            : code == 803         ? "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"
                                  : "CUDA_ERROR_OTHER";
    return OK;
}
