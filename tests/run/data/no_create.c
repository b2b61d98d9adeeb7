// no_create: data is used when it is present, and nothing is allocated when it is not.
// launches: 3
#include <stdio.h>

static void maybe(int *a, int *log, int n, int have)
{
#pragma acc parallel loop no_create(log[0:n]) copy(a[0:n])
    for (int i = 0; i < n; i++) {
        a[i]++;
        if (have)
            log[i] = a[i] * 10;
    }
}

int main(void)
{
    int a[10] = {0}, log[10] = {0};
    maybe(a, log, 10, 0);
#pragma acc data copy(log)
    maybe(a, log, 10, 1);
#pragma acc data no_create(log) copy(a)
    maybe(a, log, 10, 0);
    for (int i = 0; i < 10; i++)
        printf("%d %d\n", a[i], log[i]);
    return 0;
}
