// Exponentials, logarithms and roots of complex numbers, those of special and of extreme numbers included, beside the host's.
// launches: 1
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { PARTS = 20, N = PARTS * PARTS };
static double complex z[N], e[N], l[N], s[N];
static float complex zf[N], ef[N], lf[N], sf[N];

static int is_near(double a, double b, double tolerance, double smallest)
{
    return isnan(a) && isnan(b) || a == b || fabs(a - b) <= tolerance * fabs(b) || fabs(a - b) < smallest;
}

static int differs(double complex a, double complex b, double tolerance, double smallest)
{
    return !is_near(creal(a), creal(b), tolerance, smallest) || !is_near(cimag(a), cimag(b), tolerance, smallest);
}

int main(void)
{
    const double parts[PARTS] = {0.0, -0.0, 1, -1, 0.5, 2, 1e-300, 1e300, 700, 710, -750, 1e-20, 3.14, INFINITY, -INFINITY, NAN, 88.8, 0.999999, 1e-38, 1e38};
    for (int i = 0; i < N; i++) {
        z[i] = CMPLX(parts[i / PARTS], parts[i % PARTS]);
        zf[i] = CMPLXF((float)parts[i / PARTS], (float)parts[i % PARTS]);
    }
#pragma acc parallel loop copyin(z, zf) copyout(e, l, s, ef, lf, sf)
    for (int i = 0; i < N; i++) {
        e[i] = cexp(z[i]);
        l[i] = clog(z[i]);
        s[i] = csqrt(z[i]);
        ef[i] = cexpf(zf[i]);
        lf[i] = clogf(zf[i]);
        sf[i] = csqrtf(zf[i]);
    }
    int wrong[6] = {0};
    for (int i = 0; i < N; i++) {
        wrong[0] += differs(e[i], cexp(z[i]), 1e-13, 1e-300);
        wrong[1] += differs(l[i], clog(z[i]), 1e-13, 1e-300);
        wrong[2] += differs(s[i], csqrt(z[i]), 1e-13, 1e-300);
        wrong[3] += differs(ef[i], cexpf(zf[i]), 1e-5, 1e-37);
        wrong[4] += differs(lf[i], clogf(zf[i]), 1e-5, 1e-37);
        wrong[5] += differs(sf[i], csqrtf(zf[i]), 1e-5, 1e-37);
    }
    for (int k = 0; k < 6; k++)
        printf("%d\n", wrong[k]);
    return 0;
}
