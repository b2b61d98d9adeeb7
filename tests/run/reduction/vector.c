// Vector reductions inside gang and worker loops: row sums, maxima, products.
#include <stdio.h>

#define N 33
#define M 65

int main(void)
{
    static float a[N][M];
    float sum[N], big[N];
    double prod[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (float)((i * 13 + j * 7) % 32);
#pragma acc parallel loop gang worker copyin(a) copyout(sum, big, prod)
    for (int i = 0; i < N; i++) {
        float s = 0, m = -1;
        double p = 1;
#pragma acc loop vector reduction(+:s) reduction(max:m) reduction(*:p)
        for (int j = 0; j < M; j++) {
            s += a[i][j];
            m = a[i][j] > m ? a[i][j] : m;
            p *= j % 9 == 0 ? 2 : 1;
        }
        sum[i] = s;
        big[i] = m;
        prod[i] = p;
    }
    for (int i = 0; i < N; i++)
        printf("%g %g %g\n", sum[i], big[i], prod[i]);
    return 0;
}
