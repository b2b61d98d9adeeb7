// What the start of a process costs with the CUDA driver, step by step, and what the driver's settings change in it. Uses
// the driver library alone, opened at run time.
//
//     start [STARTS [CUBIN]]     all settings in turn, each in STARTS processes of its own; CUBIN: machine code with the
//                                kernel `empty`, to compare with translation of PTX
//     start hold                 makes a context, prints a line, and keeps the GPU in use until its input ends: the driver
//                                registers a GPU anew for a process only when no other one uses it
//
// Prints a table: a line for each setting with the least time of each step and of the whole, in milliseconds. The steps:
//
//     touch     writing 256 MiB of host memory for the first time, where the setting says so
//     dlopen    opening libcuda.so.1 and looking up its functions
//     init      cuInit
//     context   cuDevicePrimaryCtxRetain or cuCtxCreate, and making it current
//     alloc     the first cuMemAlloc
//     module    cuModuleLoadData and cuModuleGetFunction of an empty kernel
//     launch    its launch
//     sync      cuCtxSynchronize
//     whole     from main() to the end of sync
//     process   from fork to the end of the process, with its exit

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TOUCHED ((size_t)256 << 20)

typedef int Device;
typedef void *Handle;
typedef unsigned long long Address;

// What the child does in another way than usual.
enum {
    CREATE = 1,  // cuCtxCreate, not the primary context
    TOUCH = 2,   // write memory before cuInit
    BESIDE = 4,  // the same at the same time as cuInit, which a second thread does
    BESIDE2 = 8, // cuInit and the context in a second thread
    CODE = 16,   // machine code, not PTX
    LOAD = 32,   // a second thread loads the driver's JIT compiler during cuInit
};

struct setting {
    const char *label;
    unsigned flags, ways;
    const char *environment[3]; // NAME=VALUE
};

#define QUEUES(n) "CUDA_DEVICE_MAX_CONNECTIONS=" #n
#define COPY_QUEUES(n) "CUDA_DEVICE_MAX_COPY_CONNECTIONS=" #n

static const struct setting settings[] = {
    {"default", 0, 0, {0}},
    {"machine code, not PTX", 0, CODE, {0}},
    {"JIT cache off", 0, 0, {"CUDA_CACHE_DISABLE=1"}},
    {"JIT cache off, JIT compiler loaded beside cuInit", 0, LOAD, {"CUDA_CACHE_DISABLE=1"}},
    {"1 queue", 0, 0, {QUEUES(1)}},
    {"2 queues", 0, 0, {QUEUES(2)}},
    {"1 copy queue", 0, 0, {COPY_QUEUES(1)}},
    {"1 queue, 1 copy queue", 0, 0, {QUEUES(1), COPY_QUEUES(1)}},
    {"2 queues, 1 copy queue", 0, 0, {QUEUES(2), COPY_QUEUES(1)}},
    {"2 queues, 2 copy queues", 0, 0, {QUEUES(2), COPY_QUEUES(2)}},
    {"2 queues, 32 copy queues", 0, 0, {QUEUES(2), COPY_QUEUES(32)}},
    {"1 queue, 1 copy queue, queues of 0.25x", 0, 0, {QUEUES(1), COPY_QUEUES(1), "CUDA_SCALE_LAUNCH_QUEUES=0.25x"}},
    {"1 queue, 1 copy queue, no boost", 0, 0, {QUEUES(1), COPY_QUEUES(1), "CUDA_DISABLE_PERF_BOOST=1"}},
    {"modules loaded at once", 0, 0, {"CUDA_MODULE_LOADING=EAGER"}},
    {"modules loaded at need", 0, 0, {"CUDA_MODULE_LOADING=LAZY"}},
    {"CUDA_VISIBLE_DEVICES=0", 0, 0, {"CUDA_VISIBLE_DEVICES=0"}},
    {"context flag SCHED_SPIN", 1, 0, {0}},
    {"context flag SCHED_YIELD", 2, 0, {0}},
    {"context flag SCHED_BLOCKING_SYNC", 4, 0, {0}},
    {"cuCtxCreate", 0, CREATE, {0}},
    {"memory touched, then cuInit", 0, TOUCH, {0}},
    {"memory touched beside cuInit", 0, TOUCH | BESIDE, {0}},
    {"memory touched beside cuInit and context", 0, TOUCH | BESIDE | BESIDE2, {0}},
};
#define SETTINGS (sizeof settings / sizeof *settings)

enum step { TOUCHING, OPENING, INIT, CONTEXT, ALLOC, MODULE, LAUNCH, SYNC, WHOLE, PROCESS, STEPS };
static const char *const step_names[STEPS] = {"touch",  "dlopen", "init", "context", "alloc",
                                              "module", "launch", "sync", "whole",   "process"};

static const char ptx[] = ".version 7.0\n.target sm_60\n.address_size 64\n.visible .entry empty()\n{\n ret;\n}\n";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- the child: one start

#define CALLS(X)                                                                                  \
    X(cu_init, "cuInit", (unsigned))                                                              \
    X(error_name, "cuGetErrorName", (int, const char **))                                         \
    X(device_get, "cuDeviceGet", (Device *, int))                                                 \
    X(primary_flags, "cuDevicePrimaryCtxSetFlags_v2", (Device, unsigned))                         \
    X(primary_retain, "cuDevicePrimaryCtxRetain", (Handle *, Device))                             \
    X(create, "cuCtxCreate_v2", (Handle *, unsigned, Device))                                     \
    X(set_current, "cuCtxSetCurrent", (Handle))                                                   \
    X(alloc, "cuMemAlloc_v2", (Address *, size_t))                                                \
    X(module_load, "cuModuleLoadData", (Handle *, const void *))                                  \
    X(module_function, "cuModuleGetFunction", (Handle *, Handle, const char *))                   \
    X(launch, "cuLaunchKernel", (Handle, unsigned, unsigned, unsigned, unsigned, unsigned,        \
                                 unsigned, unsigned, Handle, void **, void **))                   \
    X(context_wait, "cuCtxSynchronize", (void))

#define DECLARE(name, symbol, parameters) static int(*name) parameters;
CALLS(DECLARE)

static double spent[STEPS];
static const struct setting *chosen;
static Handle context;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "start: %s: %s\n", what, why);
    exit(1);
}

static void check(int status, const char *what)
{
    const char *name = "unknown error";
    if (status) {
        error_name(status, &name);
        fail(what, name);
    }
}
#define CHECK(call) check(call, #call)

// Runs the statements and adds their time to the step's.
#define SPEND(step, ...)                   \
    do {                                   \
        double begin_ = now();             \
        __VA_ARGS__;                       \
        spent[step] += now() - begin_;     \
    } while (0)

static void open_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        fail("no driver", dlerror());
#define FIND(name, symbol, parameters)         \
    *(void **)&name = dlsym(library, symbol);  \
    if (!name)                                 \
        fail("the driver lacks", symbol);
    CALLS(FIND)
}

static void touch(void)
{
    volatile char *memory = malloc(TOUCHED);
    if (!memory)
        fail("memory", "out of it");
    for (size_t at = 0; at < TOUCHED; at += 64)
        memory[at] = 1;
}

static void make_context(void)
{
    Device gpu;
    CHECK(device_get(&gpu, 0));
    if (chosen->ways & CREATE) {
        CHECK(create(&context, chosen->flags, gpu));
        return;
    }
    if (chosen->flags)
        CHECK(primary_flags(gpu, chosen->flags));
    CHECK(primary_retain(&context, gpu));
}

static void *beside(void *unused)
{
    (void)unused;
    SPEND(INIT, CHECK(cu_init(0)));
    if (chosen->ways & BESIDE2)
        SPEND(CONTEXT, make_context());
    return NULL;
}

static void *load(void *unused)
{
    (void)unused;
    if (!dlopen("libnvidia-ptxjitcompiler.so.1", RTLD_NOW))
        fail("no JIT compiler", dlerror());
    return NULL;
}

static void initialise(void)
{
    pthread_t thread;
    if (!(chosen->ways & BESIDE)) {
        if (chosen->ways & TOUCH)
            SPEND(TOUCHING, touch());
        if (chosen->ways & LOAD && pthread_create(&thread, NULL, load, NULL))
            fail("pthread_create", "refused");
        SPEND(INIT, CHECK(cu_init(0)));
        if (chosen->ways & LOAD)
            pthread_join(thread, NULL);
        return;
    }
    if (pthread_create(&thread, NULL, beside, NULL))
        fail("pthread_create", "refused");
    SPEND(TOUCHING, touch());
    pthread_join(thread, NULL);
}

static const void *code(const char *path)
{
    static char text[1 << 20];
    if (!(chosen->ways & CODE))
        return ptx;
    FILE *file = fopen(path, "rb");
    if (!file || fread(text, 1, sizeof text, file) == 0)
        fail(path, "cannot be read");
    fclose(file);
    return text;
}

static int child(int number, const char *cubin)
{
    double begin = now();
    Address memory;
    Handle module, kernel;
    chosen = &settings[number];
    const void *image = code(cubin);
    SPEND(OPENING, open_driver());
    initialise();
    if (!context)
        SPEND(CONTEXT, make_context());
    SPEND(CONTEXT, CHECK(set_current(context)));
    SPEND(ALLOC, CHECK(alloc(&memory, 1 << 20)));
    SPEND(MODULE, CHECK(module_load(&module, image)); CHECK(module_function(&kernel, module, "empty")));
    SPEND(LAUNCH, CHECK(launch(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL)));
    SPEND(SYNC, CHECK(context_wait()));
    spent[WHOLE] = now() - begin;
    for (int step = 0; step < PROCESS; step++)
        printf("%.9f ", spent[step]);
    printf("\n");
    return 0;
}

// ---- a process that uses the GPU meanwhile

static int hold(void)
{
    chosen = &settings[0];
    open_driver();
    CHECK(cu_init(0));
    make_context();
    printf("holding\n");
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    return 0;
}

// ---- the parent: all settings

// Starts the program anew with the setting's environment; 0 when it fails.
static int start(const char *program, int number, const char *cubin, double times[STEPS])
{
    const struct setting *s = &settings[number];
    int ends[2], status, good = 1;
    char digits[16];
    snprintf(digits, sizeof digits, "%d", number);
    double begin = now();
    if (pipe(ends))
        fail("pipe", "refused");
    pid_t process = fork();
    if (process < 0)
        fail("fork", "refused");
    if (process == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        for (size_t k = 0; k < sizeof s->environment / sizeof *s->environment && s->environment[k]; k++)
            putenv((char *)s->environment[k]);
        execl(program, program, "child", digits, cubin, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *answer = fdopen(ends[0], "r");
    for (int step = 0; answer && step < PROCESS; step++)
        good = good && fscanf(answer, "%lf", &times[step]) == 1;
    if (answer)
        fclose(answer);
    waitpid(process, &status, 0);
    times[PROCESS] = now() - begin;
    return good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
    static double best[SETTINGS][STEPS];
    static int starts[SETTINGS];
    if (argc > 2 && !strcmp(argv[1], "child"))
        return child(atoi(argv[2]), argc > 3 ? argv[3] : "");
    if (argc > 1 && !strcmp(argv[1], "hold"))
        return hold();
    int wanted = argc > 1 ? atoi(argv[1]) : 7;
    const char *cubin = argc > 2 ? argv[2] : "";
    // Round by round, so that what disturbs the machine for a while does not hit one setting alone.
    for (int round = 0; round < wanted; round++)
        for (size_t k = 0; k < SETTINGS; k++) {
            double times[STEPS];
            if ((settings[k].ways & CODE && !*cubin) || (round && !starts[k]) ||
                !start("/proc/self/exe", (int)k, cubin, times))
                continue;
            for (int step = 0; step < STEPS; step++)
                if (!starts[k] || times[step] < best[k][step])
                    best[k][step] = times[step];
            starts[k]++;
        }
    printf("| setting, ms |");
    for (int step = 0; step < STEPS; step++)
        printf(" %s |", step_names[step]);
    printf(" starts |\n| --- |");
    for (int step = 0; step <= STEPS; step++)
        printf(" --: |");
    printf("\n");
    int failures = 0;
    for (size_t k = 0; k < SETTINGS; k++) {
        int left_out = settings[k].ways & CODE && !*cubin;
        printf("| %s |", settings[k].label);
        for (int step = 0; step < STEPS; step++)
            if (starts[k])
                printf(" %.2f |", 1e3 * best[k][step]);
            else
                printf(" %s |", step ? "" : left_out ? "left out" : "failed");
        printf(" %d |\n", starts[k]);
        failures += !starts[k] && !left_out;
    }
    return failures != 0;
}
