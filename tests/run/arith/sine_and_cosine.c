// Sine and cosine of the same angle have the bits that each has by itself: in a loop, in branches, for huge angles, zeros and
// infinities, and where the sine of one angle stands with the cosine of another.
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 600

static unsigned bits(float x)
{
    unsigned u;
    memcpy(&u, &x, sizeof u);
    return x != x ? 0x7fc00000u : u;
}

int main(void)
{
    float x[N], sine[N], cosine[N], both[N][2], sums[N];
    for (int i = 0; i < N; i++)
        x[i] = i < 500 ? 0.37f * (float)(i - 250) : ldexpf(1.1f, i - 500);
    x[0] = 0, x[1] = -0.0f, x[2] = INFINITY, x[3] = NAN, x[4] = 1e30f, x[5] = -65536.5f;
#pragma acc data copyin(x) copyout(sine, cosine, both, sums)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            sine[i] = sinf(x[i]);
#pragma acc parallel loop
        for (int i = 0; i < N; i++)
            cosine[i] = cosf(x[i]);
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            float angle = x[i];
            both[i][0] = sinf(angle);
            both[i][1] = i % 3 == 0 ? cosf(angle) : sinf(angle + 1) + cosf(angle);
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            float s = 0;
            for (int k = 0; k < 20; k++) {
                float angle = 0.01f * (float)k * (float)i;
                s += cosf(angle);
                s -= 0.5f * sinf(angle);
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
