// restrict and volatile qualified pointers, const pointers as parameters.
// launches: 2
#include <stdio.h>
#include <stdlib.h>

static void axpy(int n, float a, const float *restrict x, float *const restrict y)
{
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

int main(void)
{
    int n = 100;
    float *x = malloc(sizeof(float) * (unsigned)n), *y = malloc(sizeof(float) * (unsigned)n);
    volatile int seen = 0;
    for (int i = 0; i < n; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    axpy(n, 2, x, y);
#pragma acc serial copy(seen)
    seen = seen + 5;
    printf("%g %g %d\n", y[0], y[99], seen);
    free(x);
    free(y);
    return 0;
}
