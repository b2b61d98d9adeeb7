// Nests whose inner loops would run in order by what they reduce, nests that ask for gangs twice, sums in elements.
// launches: 6
#include <math.h>

int main(void)
{
    static float a[64][64], b[64][64];
    static double w[8][64][64];
    int n = 64;
    float error = 0;
    double sum = 0;
#pragma acc kernels copyin(a) copy(b)
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++) {
            b[j][i] = 0.25f * (a[j][i + 1] + a[j][i - 1] + a[j - 1][i] + a[j + 1][i]);
            error = fmaxf(error, fabsf(b[j][i] - a[j][i]));
        }
#pragma acc parallel loop reduction(+ : sum) copyin(a)
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            sum += a[j][i];
#pragma acc kernels loop gang(32), vector(16) copyin(a) copy(b)
    for (int j = 0; j < n; j++) {
#pragma acc loop gang(16), vector(32)
        for (int i = 0; i < n; i++)
            b[j][i] += a[j][i];
    }
#pragma acc kernels copy(w)
    {
#pragma acc loop independent vector(2)
        for (int k = 0; k < 8; k++) {
#pragma acc loop independent gang(32) vector(4)
            for (int j = 0; j < n; j++) {
#pragma acc loop independent gang(2) vector(64)
                for (int i = 0; i < n; i++)
                    w[k][j][i] = 2;
            }
        }
    }
#pragma acc parallel loop copy(w) copyin(b)
    for (int k = 0; k < 8; k++)
        for (int j = 1; j < n; j++)
            for (int i = 1; i < n; i++)
                w[k][j][i] += b[j][i - 1];
#pragma acc parallel copy(a) copyin(b)
    {
#pragma acc loop
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
#pragma acc loop
                for (int k = 0; k < n; k++)
                    a[j][i] += b[j][k] * b[k][i];
    }
    return !(error >= 0 && sum == 0 && w[1][2][3] == 2);
}
