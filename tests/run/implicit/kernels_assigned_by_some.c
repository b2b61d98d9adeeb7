// Scalars that not every iteration of an independent loop assigns: one iteration does, and what it assigns is kept.
// cflags: -Wno-openacc-lost-value
#include <stdio.h>

static double x[100], y[100];

static void add(double *to, double what)
{
    *to += what;
}

int main(void)
{
    double t = 3, u = 4, best = 0;
    int found = -1, j, n = 10;
    add(&t, 1);
    add(&u, 1);
    for (int i = 0; i < 100; i++)
        x[i] = i * 37 % 101;
#pragma acc kernels loop independent copyin(x) copyout(y)
    for (int i = 0; i < 100; i++) {
        y[i] = 1;
        if (x[i] > 99) {
            t = x[i];
            y[i] = t * t;
            found = i;
        }
    }
#pragma acc kernels loop independent copyin(x) copy(y)
    for (int i = 0; i < 100; i++) {
        if (x[i] != 50)
            continue;
        u = i;
        y[i] += u;
        if (u > 1000)
            continue;
        u++;
    }
#pragma acc kernels loop independent copyin(x) copy(y)
    for (int i = 0; i < 100; i++)
        for (j = 0; j < n; j++)
            if (i == 42) {
                best = x[j];
                y[i] += best;
            }
    printf("%g %g %d %g\n", t, u, found, best);
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum = sum * 0.99 + y[i];
    printf("%.12g\n", sum);
    return 0;
}
