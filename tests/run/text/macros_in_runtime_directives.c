// Macros in `init`, `set` and `shutdown`, which gcc does not know and leaves as they are.
// launches: 1
#include <stdio.h>

#define N 40
#define DEVICE 0
#define QUEUE (1 + 2)
#define WANTED(n) ((n) > 3)

int main(void)
{
    int a[N];
#pragma acc init device_num(DEVICE) if (WANTED(N))
#pragma acc set device_num(DEVICE) default_async(QUEUE) if (WANTED(N))
#pragma acc parallel loop copyout(a) async
    for (int i = 0; i < N; i++)
        a[i] = i * QUEUE;
#pragma acc wait(QUEUE) if (WANTED(N))
    printf("%d %d\n", a[1], a[N - 1]);
#pragma acc shutdown device_num(DEVICE) if (WANTED(N))
    return 0;
}
