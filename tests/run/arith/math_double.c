// Math functions of double where the exact result is representable.
#include <math.h>
#include <stdio.h>

#define N 50

int main(void)
{
    double r[N][16];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < N; i++) {
        double x = i - 20, h = x + 0.5;
        r[i][0] = sqrt(x * x);
        r[i][1] = fabs(x);
        r[i][2] = floor(h);
        r[i][3] = ceil(h);
        r[i][4] = fmin(x, 3);
        r[i][5] = fmax(x, 3);
        r[i][6] = trunc(h * 1.25);
        r[i][7] = round(h);
        r[i][8] = fmod(x, 7);
        r[i][9] = copysign(2.0, x);
        r[i][10] = ldexp(1.5, i - 20);
        r[i][11] = fma(x, x, 1);
        r[i][12] = rint(h);
        r[i][13] = fdim(x, 2);
        r[i][14] = hypot(3 * x, 4 * x);
        r[i][15] = isnan(x) + 2 * (isinf(x) != 0) + 4 * (signbit(x) != 0);
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 16; k++)
            printf("%.12g%c", r[i][k], k == 15 ? '\n' : ' ');
    return 0;
}
