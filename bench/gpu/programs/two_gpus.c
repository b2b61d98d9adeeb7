// Two devices of the current type in one program: data and kernels on both, queues of each, copies between them and the
// host and among each other, and a default device per thread. Every result is compared with the host's.
//
// Prints `ok WHAT` or `WRONG WHAT` for each subject; exit status 1 when something is wrong. With one device: `skipped`.
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N (1 << 20)
#define THREADS 8

static acc_device_t type;
static int wrong;

static void report(int right, const char *what)
{
    printf("%s %s\n", right ? "ok" : "WRONG", what);
    fflush(stdout);
    wrong += !right;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double *array(double first)
{
    double *p = malloc(N * sizeof *p);
    if (!p)
        exit(2);
    for (int i = 0; i < N; i++)
        p[i] = first + i % 1000;
    return p;
}

// p[i] is factor * (first + i % 1000) + addend for all i from `from` to below `to`.
static int holds(const double *p, int from, int to, double first, double factor, double addend)
{
    for (int i = from; i < to; i++)
        if (p[i] != factor * (first + i % 1000) + addend)
            return 0;
    return 1;
}

static void scale(double *p, double factor, double addend, int queue)
{
#pragma acc parallel loop present(p[0:N]) async(queue)
    for (int i = 0; i < N; i++)
        p[i] = factor * p[i] + addend;
}

static double sum(const double *p)
{
    double s = 0;
#pragma acc parallel loop present(p[0:N]) reduction(+:s)
    for (int i = 0; i < N; i++)
        s += p[i];
    return s;
}

static void properties(void)
{
    int right = 1;
    for (int d = 0; d < 2; d++) {
        const char *name = acc_get_property_string(d, type, acc_property_name);
        const char *vendor = acc_get_property_string(d, type, acc_property_vendor);
        const char *driver = acc_get_property_string(d, type, acc_property_driver);
        size_t memory = acc_get_property(d, type, acc_property_memory);
        size_t unused = acc_get_property(d, type, acc_property_free_memory);
        printf("device %d: %s, %s, %s, %zu of %zu bytes free\n", d, name, vendor, driver, unused, memory);
        right = right && name && *name && vendor && *vendor && driver && *driver && unused > 0 && unused <= memory;
    }
    report(right, "properties of both");
}

// The same host array is on both devices, with different values.
static void data_on_both(void)
{
    double *p = array(1);
    void *address[2];
    int absent = 1;
    for (int d = 0; d < 2; d++) {
        acc_set_device_num(d, type);
        absent = absent && !acc_is_present(p, N * sizeof *p);
#pragma acc enter data copyin(p[0:N])
        address[d] = acc_deviceptr(p);
    }
    report(absent && address[0] != address[1], "data on both: present on each by itself");
    for (int d = 0; d < 2; d++) {
        acc_set_device_num(d, type);
        scale(p, 2 + d, d, acc_async_sync);
    }
    report(holds(p, 0, N, 1, 1, 0), "data on both: the host's copy is untouched");
    for (int d = 0; d < 2; d++) {
        acc_set_device_num(d, type);
        double expected = 0, found = sum(p);
        for (int i = 0; i < N; i++)
            expected += (2 + d) * (1 + i % 1000) + d;
        report(found == expected, d ? "sum on the second" : "sum on the first");
#pragma acc update self(p[0:N])
        report(holds(p, 0, N, 1, 2 + d, d), d ? "values of the second" : "values of the first");
#pragma acc exit data delete(p[0:N])
        report(!acc_is_present(p, N * sizeof *p), d ? "deleted on the second" : "deleted on the first");
    }
    free(p);
}

#define ROUNDS 40

static void enqueue(double *p, int queue)
{
#pragma acc update device(p[0:N]) async(queue)
    for (int k = 0; k < ROUNDS; k++)
        scale(p, 1, 1, queue);
#pragma acc update self(p[0:N]) async(queue)
}

// Kernels and copies are under way on both devices at the same time.
static void queues_on_both(void)
{
    double *p[2] = {array(1), array(2)};
    for (int d = 0; d < 2; d++) {
        double *q = p[d];
        acc_set_device_num(d, type);
#pragma acc enter data create(q[0:N])
    }
    for (int d = 0; d < 2; d++) {
        acc_set_device_num(d, type);
        enqueue(p[d], 1);
    }
    // The second is the current one; the first is waited for by its number.
    acc_wait_device(1, 0);
    report(acc_async_test_device(1, 0) && holds(p[0], 0, N, 1, 1, ROUNDS), "queue of the first, waited for by its number");
#pragma acc wait(1)
    report(acc_async_test(1) && holds(p[1], 0, N, 2, 1, ROUNDS), "queue of the second");
    acc_set_device_num(0, type);
    enqueue(p[0], 2);
#pragma acc wait(devnum:0: 2)
    report(holds(p[0], 0, N, 1, 1, 2 * ROUNDS), "wait(devnum:0: 2)");

    double one, both;
    acc_set_device_num(0, type);
    one = now();
    enqueue(p[0], 3);
    acc_wait(3);
    one = now() - one;
    both = now();
    for (int d = 0; d < 2; d++) {
        acc_set_device_num(d, type);
        enqueue(p[d], 3);
    }
    acc_wait_device(3, 0);
    acc_wait_device(3, 1);
    both = now() - both;
    printf("time of a queue's work: %.3f ms on one, %.3f ms on both at once\n", 1e3 * one, 1e3 * both);
    for (int d = 0; d < 2; d++) {
        double *q = p[d];
        acc_set_device_num(d, type);
#pragma acc exit data copyout(q[0:N])
    }
    report(holds(p[0], 0, N, 1, 1, 4 * ROUNDS) && holds(p[1], 0, N, 2, 1, 2 * ROUNDS), "values after all queues");
    free(p[0]);
    free(p[1]);
}

static void copies_between(void)
{
    const size_t bytes = N * sizeof(double), half = bytes / 2;
    double *p = array(3), *back = array(0);
    void *on[2];
    for (int d = 0; d < 2; d++) {
        acc_set_device_num(d, type);
        on[d] = acc_malloc(bytes);
    }
    acc_set_device_num(0, type);
    acc_memcpy_to_device(on[0], p, bytes);
    acc_memcpy_d2d(on[1], on[0], bytes, 1, 0);
    acc_set_device_num(1, type);
    acc_memcpy_from_device(back, on[1], bytes);
    report(!memcmp(back, p, bytes), "copy from the first to the second");

    memset(back, 0, bytes);
    acc_memcpy_to_device(on[1], back, half);
    // The current device is neither here nor there: numbers are given.
    acc_set_device_num(0, type);
    acc_memcpy_d2d_async(on[0], on[1], bytes, 0, 1, 5);
    acc_wait_device(5, 1);
    acc_memcpy_from_device(back, on[0], bytes);
    int zeros = 1;
    for (int i = 0; i < N / 2; i++)
        zeros = zeros && back[i] == 0;
    report(zeros && holds(back, N / 2, N, 3, 1, 0), "asynchronous copy from the second to the first");

    acc_memcpy_d2d((char *)on[0] + half, on[0], half, 0, 0);
    acc_memcpy_from_device(back, on[0], bytes);
    report(!memcmp(back, back + N / 2, half), "copy within the first");
    for (int d = 0; d < 2; d++) {
        acc_set_device_num(d, type);
        acc_free(on[d]);
    }

    // Data of the present table goes through the host to the other device.
    acc_set_device_num(0, type);
#pragma acc enter data copyin(p[0:N])
    scale(p, 2, 0, 1);
#pragma acc update self(p[0:N]) async(1)
#pragma acc wait(1)
    acc_set_device_num(1, type);
#pragma acc parallel loop copy(p[0:N])
    for (int i = 0; i < N; i++)
        p[i] += 1;
    report(holds(p, 0, N, 3, 2, 1), "a present array on the first, mapped anew on the second");
    acc_set_device_num(0, type);
#pragma acc exit data copyout(p[0:N])
    report(holds(p, 0, N, 3, 2, 0), "its values on the first");
    free(p);
    free(back);
}

struct worker {
    pthread_t thread;
    int device, initial, right;
};

static void *work(void *argument)
{
    struct worker *w = argument;
    // A new thread begins with the program's first choice, whatever others have set since.
    w->right = acc_get_device_num(type) == w->initial;
    acc_set_device_num(w->device, type);
    double *p = array(w->device);
    for (int round = 1; round <= 20; round++) {
#pragma acc parallel loop copy(p[0:N]) async
        for (int i = 0; i < N; i++)
            p[i] += 1;
#pragma acc wait
        w->right = w->right && acc_get_device_num(type) == w->device && holds(p, 0, N, w->device, 1, round);
    }
    free(p);
    return NULL;
}

static void threads(int initial)
{
    struct worker w[THREADS];
    int right = 1;
    acc_set_device_num(1, type);
    for (int t = 0; t < THREADS; t++) {
        w[t] = (struct worker){.device = t % 2, .initial = initial};
        if (pthread_create(&w[t].thread, NULL, work, &w[t]))
            exit(2);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(w[t].thread, NULL);
        right = right && w[t].right;
    }
    report(right, "threads with a device each");
    report(acc_get_device_num(type) == 1, "the main thread's device is still its own");
#pragma acc set device_num(0)
    report(acc_get_device_num(type) == 0, "set device_num");
}

int main(void)
{
    type = acc_get_device_type();
    int count = acc_get_num_devices(type), initial = acc_get_device_num(type);
    if (count < 2) {
        printf("skipped: %d device of this type, two are needed\n", count);
        return 0;
    }
    properties();
    data_on_both();
    queues_on_both();
    copies_between();
    threads(initial);
    printf("%s\n", wrong ? "something is wrong" : "all right");
    return wrong != 0;
}
