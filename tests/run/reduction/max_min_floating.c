// max and min on float and double, written with fmax/fmin, if, and the conditional operator.
// launches: 4
#include <math.h>
#include <stdio.h>

#define N 5000

int main(void)
{
    static double a[N];
    static float b[N];
    for (int i = 0; i < N; i++) {
        a[i] = (i * 7919LL % 10007 - 5000) * 0.125;
        b[i] = (float)-a[i];
    }
    double dmax = -INFINITY, dmin = 1e300;
    float fmx = -1e30f, fmn = INFINITY;
#pragma acc parallel loop copyin(a) reduction(max:dmax)
    for (int i = 0; i < N; i++)
        dmax = fmax(dmax, a[i]);
#pragma acc parallel loop copyin(a) reduction(min:dmin)
    for (int i = 0; i < N; i++)
        if (a[i] < dmin)
            dmin = a[i];
#pragma acc parallel loop copyin(b) reduction(max:fmx)
    for (int i = 0; i < N; i++)
        fmx = fmx > b[i] ? fmx : b[i];
#pragma acc parallel loop copyin(b) reduction(min:fmn)
    for (int i = 0; i < N; i++)
        fmn = fminf(b[i], fmn);
    printf("%g %g %g %g\n", dmax, dmin, fmx, fmn);
    return 0;
}
