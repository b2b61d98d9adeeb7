// Two host threads launch regions on data of their own at the same time.
// cflags: -pthread
// launches: 200
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg)
{
    long *result = arg;
    int a[100];
    long s = 0;
    for (int t = 0; t < 50; t++) {
#pragma acc data create(a)
        {
#pragma acc parallel loop present(a)
            for (int i = 0; i < 100; i++)
                a[i] = i * t;
            long part = 0;
#pragma acc parallel loop present(a) reduction(+:part)
            for (int i = 0; i < 100; i++)
                part += a[i];
            s += part;
        }
    }
    *result = s;
    return 0;
}

int main(void)
{
    pthread_t other;
    long x = 0, y = 0;
    pthread_create(&other, 0, work, &x);
    work(&y);
    pthread_join(other, 0);
    printf("%ld %ld\n", x, y);
    return 0;
}
