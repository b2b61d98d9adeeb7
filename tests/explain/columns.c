// Loops down columns of which there are few, and along rows: what other warps load ahead, what all lanes move, and why not otherwise.
#include <math.h>
enum { N = 200 };
static double a[N][N], b[N][N], s[N], t[N];
int main(void)
{
#pragma acc data copyin(a, t) copyout(b, s)
    {
#pragma acc parallel loop
        for (int j = 0; j < N; j++) {
            s[j] = 0;
            for (int i = 0; i < N; i++) s[j] += a[i][j] * t[i];
        }
#pragma acc parallel loop vector_length(128)
        for (int j = 0; j < N; j++) {
            s[j] = 0;
            for (int i = 0; i < N; i++) s[j] += a[i][j];
        }
#pragma acc parallel loop
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int i = 0; i < N; i++) sum += exp(a[i][j]) / sqrt(t[i]);
            s[j] = sum;
        }
#pragma acc parallel loop
        for (int j = 0; j < N; j++)
            for (int i = 1; i < N; i++) a[i][j] += a[i - 1][j];
#pragma acc parallel loop
        for (int j = 0; j < N; j++)
            for (int i = 1; i < N; i++) b[j][i] = a[j][i] + a[j][i - 1];
#pragma acc parallel loop
        for (int j = 0; j < N; j++)
            for (int i = 1; i < N; i++) a[j][i] += a[j][i - 1];
#pragma acc parallel loop
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) b[j][N - 1 - i] = a[j][i];
    }
    return s[3] < 0;
}
