/* What a process can do around regions, as its arguments say, for processes.py.
 *
 *     processes STEP…      a STEP is a word, or a word with a number: queues:100
 *
 * Prints `STEP ok` for each step whose results are right. Built without -fopenacc, only the library has regions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef _OPENACC
#include <openacc.h>
#endif

#define N 1000
#define LIBRARIES 3

static void *libraries[LIBRARIES];
/* What the library's queues change, and how often they were asked to. */
static int shared[LIBRARIES][N], started[LIBRARIES];
static int in_destructor;
static pthread_key_t key;

static int region(int add)
{
    int a[N], right = 1;
    long sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel loop copy(a) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        a[i] += add;
        sum += a[i];
    }
    for (int i = 0; i < N; i++)
        right &= a[i] == i + add;
    return right && sum == (long)N * (N - 1) / 2 + (long)N * add;
}

static int on_queues(int first, int count)
{
    int *a = calloc(count, 64 * sizeof *a), right = 1;
#pragma acc data copy(a[0:count * 64])
    {
        for (int round = 0; round < 3; round++)
            for (int q = 0; q < count; q++) {
#pragma acc parallel loop present(a[0:count * 64]) async(first + q)
                for (int i = 0; i < 64; i++)
                    a[q * 64 + i] = a[q * 64 + i] * 3 + q + i;
            }
        for (int q = 0; q < count; q++) {
#pragma acc wait(first + q)
        }
    }
    for (int q = 0; q < count; q++)
        for (int i = 0; i < 64; i++)
            right &= a[q * 64 + i] == 13 * (q + i);
    free(a);
    return right;
}

static void *thread(void *argument)
{
    long number = (long)argument;
    int right = region((int)number) && on_queues(1000 + 10 * (int)number, 3) && region(2);
    return (void *)(long)right;
}

static int threads(int count, void *(*work)(void *))
{
    pthread_t *all = calloc(count, sizeof *all);
    int right = 1;
    for (long k = 0; k < count; k++)
        if (pthread_create(&all[k], NULL, work, (void *)k))
            return 0;
    for (int k = 0; k < count; k++) {
        void *result;
        pthread_join(all[k], &result);
        right &= result != NULL;
    }
    free(all);
    return right;
}

static void at_thread_end(void *value)
{
    printf("key %s\n", region((int)(long)value) ? "ok" : "wrong");
}

static void *thread_with_key(void *argument)
{
    pthread_setspecific(key, (void *)7);
    return thread(argument);
}

/* Its array is not on its stack: a child's thread could get that stack, which the present table has data of. */
static void *for_ever(void *argument)
{
    static int a[N];
    for (;;) {
#pragma acc parallel loop copy(a)
        for (int i = 0; i < N; i++)
            a[i] = i;
    }
    return argument;
}

static void at_exit(void)
{
    printf("atexit %s\n", region(5) && on_queues(50, 2) ? "ok" : "wrong");
    fflush(stdout);
}

__attribute__((destructor)) static void destructor(void)
{
    if (in_destructor) {
        printf("destructor %s\n", region(9) ? "ok" : "wrong");
        fflush(stdout);
    }
}

/* A child that runs regions; `how` it ends: 0 _exit, 1 exit. */
static int child(int how)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        return 0;
    if (pid == 0) {
        int right = region(3) && on_queues(7, 2) && threads(2, thread);
        if (!how)
            _exit(right ? 0 : 1);
        /* Its handlers print nothing: what they print is the parent's. */
        if (!freopen("/dev/null", "w", stdout))
            _exit(2);
        exit(right ? 0 : 1);
    }
    int status;
    return waitpid(pid, &status, 0) == pid && status == 0;
}

static void *symbol(int which, const char *name)
{
    return libraries[which] ? dlsym(libraries[which], name) : NULL;
}

static int open_library(int which)
{
    char path[64];
    snprintf(path, sizeof path, "./library%d.so", which);
    if (!libraries[which])
        libraries[which] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return libraries[which] != NULL;
}

static int add(int which)
{
    int a[N] = {0}, right = 1;
    void (*work)(int *, int) = symbol(which, "library_add");
    if (!work)
        return 1;
    work(a, N);
    for (int i = 0; i < N; i++)
        right &= a[i] == 1;
    return right;
}

static int start(int which)
{
    void (*work)(int *, int, int) = symbol(which, "library_start");
    if (work) {
        work(shared[which], N, 30 + which);
        started[which]++;
    }
    return 1;
}

/* Waits for everything and looks at what the libraries' queues did. */
static int check(void)
{
    int right = 1;
    for (int k = 0; k < LIBRARIES; k++) {
        void (*wait)(void) = symbol(k, "library_wait");
        if (wait)
            wait();
    }
#pragma acc wait
    for (int k = 0; k < LIBRARIES; k++)
        for (int i = 0; i < N; i++)
            right &= shared[k][i] == started[k];
    return right;
}

static int close_library(int which)
{
#ifndef _OPENACC
    /* Nobody else could wait for it. */
    check();
#endif
    int right = !libraries[which] || dlclose(libraries[which]) == 0;
    libraries[which] = NULL;
    return right;
}

static int shutdown_device(void)
{
    int right = check();
#ifdef _OPENACC
    acc_shutdown(acc_get_device_type());
#endif
    return right;
}

static int step(const char *name, int number)
{
#define IS(NAME) (!strcmp(name, NAME))
    pthread_t other;
    if (IS("region"))
        return region(number);
    if (IS("queues"))
        return on_queues(0, number);
    if (IS("threads"))
        return threads(number, thread);
    if (IS("key"))
        return threads(number, thread_with_key);
    if (IS("atexit"))
        return !atexit(at_exit);
    if (IS("destructor"))
        return in_destructor = 1;
    if (IS("background"))
        return !pthread_create(&other, NULL, for_ever, NULL);
    if (IS("fork"))
        return child(0);
    if (IS("fork-exit"))
        return child(1);
    if (IS("system"))
        return system("true") == 0;
    if (IS("open"))
        return open_library(number);
    if (IS("add"))
        return add(number);
    if (IS("start"))
        return start(number);
    if (IS("check"))
        return check();
    if (IS("close"))
        return close_library(number);
    if (IS("shutdown"))
        return shutdown_device();
    return 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_key_create(&key, at_thread_end);
    for (int k = 1; k < argc; k++) {
        char name[32];
        int number = 0;
        sscanf(argv[k], "%31[^:]:%d", name, &number);
        printf("%s %s\n", argv[k], step(name, number) ? "ok" : "wrong");
    }
    return 0;
}
