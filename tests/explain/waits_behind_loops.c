// Where synchronous constructs in loops of the host are waited for, and what can tell whether they are complete.
#include <stdio.h>

static void log_step(int step) { printf("%d\n", step); }

static void scale(int n, float *a, float x)
{
#pragma acc parallel loop present(a[0:n])
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
        a[i] *= x;
}

void steps(int n, float *a, volatile int *stop)
{
    for (int k = 0; k < 3; k++)
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += k;
    for (int k = 0; k < 3; k++) {
        for (int part = 0; part < 2; part++)
#pragma acc parallel loop present(a[0:n])
            for (int i = part; i < n; i += 2)
                a[i] += k;
        log_step(k);
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += k;
    }
    while (!*stop) {
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] *= 2;
    }
    for (int k = 0; k < 3; k++) {
#pragma acc parallel loop present(a[0:n]) async
        for (int i = 0; i < n; i++)
            a[i] += k;
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] *= k;
    }
    for (int k = 0; k < 3; k++)
        scale(n, a, k);
    for (int k = 0; k < 3; k++) {
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] -= k;
        if (k == 2)
            return;
    }
#pragma omp parallel for
    for (int k = 0; k < 3; k++)
#pragma acc parallel loop copyin(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += k;
    for (int k = 0; k < 3; k++) {
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += k;
#pragma omp barrier
    }
}

int main(void)
{
    float a[10] = {0};
    int stop = 1;
#pragma acc data copy(a)
    steps(10, a, &stop);
    return 0;
}
