/* Carries out data directives and routines that its arguments name, for data.py.
 *
 *     data QUEUE STEP…        STEP is OPERATION,ARRAY,START,LENGTH; QUEUE is -2 for none
 *
 * A structured data region reaches from a step `[copy,…` to its `]`. After each step a line has a checksum of the host's arrays,
 * and what the step was asked to read. */
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAYS 3
#define N 48

static int arrays[ARRAYS][N];
static int queue;
static char **steps;
static int count;

static void show(const char *name, long value)
{
    unsigned sum = 2166136261u;
    for (int a = 0; a < ARRAYS; a++)
        for (int i = 0; i < N; i++)
            sum = (sum ^ (unsigned)arrays[a][i]) * 16777619u;
    printf("%s %u %ld\n", name, sum, value);
}

/* The sum of what the device has, for the step `read`. */
static long device_sum(int *p, int s, int n)
{
    long sum = 0;
#pragma acc parallel loop present(p[s:n]) reduction(+ : sum)
    for (int i = s; i < s + n; i++)
        sum += (long)p[i] * (i - s + 1);
    return sum;
}

#define IS(NAME) (!strcmp(name, NAME))

static long directive(const char *name, int *p, int s, int n)
{
    if (IS("enter-copyin")) {
#pragma acc enter data copyin(p[s:n]) async(queue)
    } else if (IS("enter-create")) {
#pragma acc enter data create(p[s:n]) async(queue)
    } else if (IS("exit-copyout")) {
#pragma acc exit data copyout(p[s:n]) async(queue)
    } else if (IS("exit-delete")) {
#pragma acc exit data delete(p[s:n]) async(queue)
    } else if (IS("exit-copyout-finalize")) {
#pragma acc exit data copyout(p[s:n]) finalize async(queue)
    } else if (IS("exit-delete-finalize")) {
#pragma acc exit data delete(p[s:n]) finalize async(queue)
    } else if (IS("update-self")) {
#pragma acc update self(p[s:n]) async(queue)
    } else if (IS("update-device")) {
#pragma acc update device(p[s:n]) async(queue)
    } else if (IS("update-self-if")) {
#pragma acc update self(p[s:n]) if_present async(queue)
    } else if (IS("update-device-if")) {
#pragma acc update device(p[s:n]) if_present async(queue)
    } else if (IS("change-present")) {
#pragma acc parallel loop present(p[s:n]) async(queue)
        for (int i = s; i < s + n; i++)
            p[i] = p[i] * 5 + 3;
    } else if (IS("change-copy")) {
#pragma acc parallel loop copy(p[s:n]) async(queue)
        for (int i = s; i < s + n; i++)
            p[i] = p[i] * 5 + 3;
    } else if (IS("fill-copyout")) {
#pragma acc parallel loop copyout(p[s:n]) async(queue)
        for (int i = s; i < s + n; i++)
            p[i] = i * 11;
    } else if (IS("fill-present")) {
#pragma acc parallel loop present(p[s:n]) async(queue)
        for (int i = s; i < s + n; i++)
            p[i] = i * 11;
    } else if (IS("read")) {
#pragma acc wait
        return device_sum(p, s, n);
    } else if (IS("host")) {
#pragma acc wait
        for (int i = s; i < s + n; i++)
            p[i] = p[i] * 3 + 7;
    } else if (IS("wait")) {
#pragma acc wait
        return 0;
    } else {
        fprintf(stderr, "unknown step %s\n", name);
        exit(99);
    }
    return 0;
}

static int routine(const char *name, int *p, size_t bytes, long *result)
{
    int sync = queue == acc_async_sync;
    if (IS("acc_copyin"))
        sync ? acc_copyin(p, bytes) : acc_copyin_async(p, bytes, queue);
    else if (IS("acc_create"))
        sync ? acc_create(p, bytes) : acc_create_async(p, bytes, queue);
    else if (IS("acc_copyout"))
        sync ? acc_copyout(p, bytes) : acc_copyout_async(p, bytes, queue);
    else if (IS("acc_delete"))
        sync ? acc_delete(p, bytes) : acc_delete_async(p, bytes, queue);
    else if (IS("acc_copyout_finalize"))
        sync ? acc_copyout_finalize(p, bytes) : acc_copyout_finalize_async(p, bytes, queue);
    else if (IS("acc_delete_finalize"))
        sync ? acc_delete_finalize(p, bytes) : acc_delete_finalize_async(p, bytes, queue);
    else if (IS("acc_update_self"))
        sync ? acc_update_self(p, bytes) : acc_update_self_async(p, bytes, queue);
    else if (IS("acc_update_device"))
        sync ? acc_update_device(p, bytes) : acc_update_device_async(p, bytes, queue);
    else if (IS("acc_is_present")) {
#pragma acc wait
        *result = acc_is_present(p, bytes) != 0;
    } else
        return 0;
    return 1;
}

/* Carries out the steps from `at` to the end of the region; gives the step behind it. */
static int run(int at)
{
    while (at < count) {
        char name[64];
        int array, s, n;
        if (steps[at][0] == ']' || steps[at][0] == '[') {
            /* Structured regions do not wait for queues. */
#pragma acc wait
        }
        if (!strcmp(steps[at], "]"))
            return at + 1;
        if (sscanf(steps[at], "%63[^,],%d,%d,%d", name, &array, &s, &n) != 4)
            exit(99);
        int *p = arrays[array];
        long result = 0;
        if (name[0] == '[') {
            show(name, 0);
            if (IS("[copy")) {
#pragma acc data copy(p[s:n])
                at = run(at + 1);
            } else if (IS("[copyin")) {
#pragma acc data copyin(p[s:n])
                at = run(at + 1);
            } else if (IS("[copyout")) {
#pragma acc data copyout(p[s:n])
                at = run(at + 1);
            } else if (IS("[create")) {
#pragma acc data create(p[s:n])
                at = run(at + 1);
            } else if (IS("[no_create")) {
#pragma acc data no_create(p[s:n])
                at = run(at + 1);
            } else {
#pragma acc data present(p[s:n])
                at = run(at + 1);
            }
            show("]", 0);
            continue;
        }
        if (!routine(name, p + s, n * sizeof *p, &result))
            result = directive(name, p, s, n);
        if (queue == acc_async_sync || IS("wait") || IS("host") || IS("read") || IS("acc_is_present"))
            show(name, result);
        at++;
    }
    return at;
}

int main(int argc, char **argv)
{
    queue = atoi(argv[1]);
    steps = argv + 2;
    count = argc - 2;
    for (int a = 0; a < ARRAYS; a++)
        for (int i = 0; i < N; i++)
            arrays[a][i] = a * 1000 + i;
    setvbuf(stdout, NULL, _IOLBF, 0);
    run(0);
#pragma acc wait
    show("end", 0);
    return 0;
}
