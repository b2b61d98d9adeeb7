// A function of which nothing is known has kept the address of a scalar, and of a struct: another may read behind the loop what
// the last iteration assigned.
// with: address_kept_other.part.c
#include <stdio.h>

struct pair {
    double x, y;
};
void keep(double *scalar, struct pair *pair);
double kept(void);

int main(void)
{
    double t, a[100], b[100], c[100];
    struct pair p;
    keep(&t, &p);
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma acc kernels
    for (int i = 0; i < 100; i++) {
        t = a[i];
        b[i] = t * t;
    }
    double first = kept();
#pragma acc kernels
    for (int i = 0; i < 90; i++) {
        p.x = a[i];
        p.y = 2 * a[i];
        c[i] = p.x * p.y;
    }
    double second = kept();
#pragma acc kernels loop independent
    for (int i = 0; i < 80; i++) {
        p.x = a[i];
        p.y = t = 3 * a[i];
        c[i] += p.x * p.y;
    }
    printf("%g %g %g %g %g\n", b[50], c[20], first - t, second, kept());
    return 0;
}
