// enter data and exit data in different functions.
#include <stdio.h>
#include <stdlib.h>

static double *make(int n)
{
    double *p = malloc((unsigned)n * sizeof *p);
#pragma acc enter data create(p[0:n])
    return p;
}

static void destroy(double *p, int n)
{
#pragma acc exit data delete(p[0:n])
    free(p);
}

int main(void)
{
    int n = 64;
    double *x = make(n), *y = make(2 * n);
#pragma acc parallel loop present(x[0:n], y[0:2 * n])
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[2 * i] = -i;
        y[2 * i + 1] = i * 0.5;
    }
#pragma acc update self(x[0:n], y[0:2 * n])
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[2 * n - 1 - i];
    printf("%g\n", s);
    destroy(y, 2 * n);
    destroy(x, n);
    return 0;
}
