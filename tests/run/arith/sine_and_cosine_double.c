// Sine and cosine of the same angle of 64 bits have the bits that each has by itself: in a loop, in branches, for huge angles, zeros and
// infinities, and where the sine of one angle stands with the cosine of another.
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 600

static unsigned long bits(double x)
{
    unsigned long u;
    memcpy(&u, &x, sizeof u);
    return x != x ? 0x7ff8000000000000u : u;
}

int main(void)
{
    double x[N], sine[N], cosine[N], both[N][2], sums[N];
    for (int i = 0; i < N; i++)
        x[i] = i < 500 ? 0.37 * (double)(i - 250) : ldexp(1.1, 2 * i - 1000);
    x[0] = 0, x[1] = -0.0, x[2] = INFINITY, x[3] = NAN, x[4] = 1e300, x[5] = -1073741824.5;
#pragma acc data copyin(x) copyout(sine, cosine, both, sums)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            sine[i] = sin(x[i]);
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            cosine[i] = cos(x[i]);
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            double angle = x[i];
            both[i][0] = sin(angle);
            both[i][1] = i % 3 == 0 ? cos(angle) : sin(angle + 1) + cos(angle);
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            double s = 0;
            for (int k = 0; k < 20; k++) {
                double angle = 0.01 * (double)k * (double)i;
                s += cos(angle);
                s -= 0.5 * sin(angle);
            }
            sums[i] = s;
        }
    }
    int differ = 0;
    double total = 0;
    for (int i = 0; i < N; i++) {
        differ += bits(sine[i]) != bits(both[i][0]);
        differ += i % 3 == 0 && bits(cosine[i]) != bits(both[i][1]);
        total += sums[i];
    }
    printf("%d %.3f %g %g\n", differ, total, both[0][1], both[1][0]);
    return 0;
}
