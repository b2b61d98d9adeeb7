# A process that forks while another of its threads runs regions, or waits for queues: no lock is left behind in the child.
cat >p.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
enum { MOST = 20000 };
static volatile int stop;
static int region(int add, int n)
{
    int a[MOST], right = 1;
    long sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop copy(a[0:n]) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        a[i] += add;
        sum += a[i];
    }
#pragma acc parallel loop copy(a[0:n]) async(add)
    for (int i = 0; i < n; i++)
        a[i] -= add;
#pragma acc wait(add)
    for (int i = 0; i < n; i++)
        right &= a[i] == i;
    return right && sum == (long)n * (n - 1) / 2 + (long)n * add;
}
static void *busy(void *number)
{
    while (!stop)
        if (!region(*(int *)number, MOST))
            return number;
    return NULL;
}
int main(void)
{
    int numbers[2] = {1, 2}, wrong = 0;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, busy, &numbers[i]);
    for (int i = 0; i < 200; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            _exit(region(3, 64) ? 0 : 1);
        }
        wrong += waitpid(child, &status, 0) != child || status;
        wrong += !region(4, 64);
    }
    stop = 1;
    for (int i = 0; i < 2; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        wrong += failed != NULL;
    }
    return wrong != 0;
}
END
accrue cc -fopenacc -O2 p.c -o p -pthread
for mode in "ACC_DEVICE_TYPE=host" "ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete" "ACC_DEVICE_TYPE=sim ACCRUE_SIM_GPU=h100/2"; do
    env $mode ./p || fail "$mode"
done
no_temporary_files

# Nor is what a thread has begun to start, the runtime itself: the child would wait for it for ever.
cat >first.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static int region(void)
{
    int sum = 0, a[1000];
#pragma acc parallel loop reduction(+ : sum) copyout(a)
    for (int i = 0; i < 1000; i++)
        sum += a[i] = i;
    return sum == 499500;
}
static volatile int stop;
static void *first(void *unused)
{
    do
        if (!region())
            return NULL;
    while (!stop);
    return unused;
}
static int starting(int delay)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, first, &delay);
    for (volatile int i = 0; i < delay; i++)
        ;
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        _exit(region() ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    stop = 1;
    for (int i = 0; i < 2; i++) {
        void *right;
        pthread_join(threads[i], &right);
        if (!right)
            status = 1;
    }
    return status == 0;
}
/* This process itself never starts the runtime, so that each of its children does. */
int main(void)
{
    for (int i = 0; i < 400; i++) {
        int status = 1;
        pid_t child = fork();
        if (child == 0)
            _exit(starting(i % 32 * 10000) ? 0 : 1);
        waitpid(child, &status, 0);
        if (status)
            return 1;
    }
    return 0;
}
END
accrue cc -fopenacc first.c -o first -pthread
ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete ./first || fail "the child of a process that is starting the runtime"
