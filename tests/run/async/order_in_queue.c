// Operations of one queue run in the order they were enqueued.
// launches: 20
#include <stdio.h>

int main(void)
{
    unsigned long x = 1;
#pragma acc data copy(x)
    {
        for (unsigned t = 1; t <= 20; t++) {
#pragma acc serial async(7) present(x) firstprivate(t)
            x = x * 31 + t;
        }
#pragma acc wait(7)
    }
    printf("%lu\n", x);
    return 0;
}
