// Regions in exit handlers, in destructors of the program and of threads, after the thread ran regions before.
// cflags: -pthread
// modes: shared discrete sim (a GPU's driver ends before exit handlers that are older than its first use: a message says so)
// launches: 14
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int sum(int n)
{
    int a[200], s = 0;
#pragma acc data create(a[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            a[i] = i;
#pragma acc parallel loop reduction(+:s) num_gangs(3)
        for (int i = 0; i < n; i++)
            s += a[i];
    }
    return s;
}

static void say(const char *who, int n)
{
    printf("%s %d\n", who, sum(n));
    fflush(stdout);
}

static void early(void) { say("early exit handler", 10); }
static void late(void) { say("late exit handler", 20); }

__attribute__((destructor)) static void end_of_program(void) { say("destructor", 30); }

static pthread_key_t key;

static void end_of_key(void *value)
{
    static int again = 60;
    int n = *(int *)value;
    say("key", n);
    if (n != again)
        /* The system calls destructors as long as values are set. */
        pthread_setspecific(key, &again);
}

static void *thread(void *arg)
{
    static int n = 50;
    pthread_setspecific(key, &n);
    say("thread", 40);
    return arg;
}

int main(void)
{
    atexit(early);
    say("main", 100);
    atexit(late);
    pthread_key_create(&key, end_of_key);
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    pthread_join(other, 0);
    return 0;
}
