// exp, log, pow, sin, cos … agree with the host's to ten digits.
// cflags: -D_GNU_SOURCE
#include <math.h>
#include <stdio.h>

#define N 20

int main(void)
{
    double r[N][12];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < N; i++) {
        double x = 0.1 + i * 0.37;
        r[i][0] = exp(-x);
        r[i][1] = log(x);
        r[i][2] = pow(x, 2.5);
        r[i][3] = sin(x);
        r[i][4] = cos(x);
        r[i][5] = tan(x * 0.1);
        r[i][6] = atan2(x, 2);
        r[i][7] = log2(x) + log10(x);
        r[i][8] = tanh(x);
        r[i][9] = cbrt(x);
        r[i][10] = exp2(x) + expm1(x) + log1p(x);
        r[i][11] = expf((float)x) > exp(x) * 0.999;
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 12; k++)
            printf("%.9g%c", r[i][k], k == 11 ? '\n' : ' ');
    return 0;
}
