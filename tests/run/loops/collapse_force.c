// `collapse(force: n)`: what stands between the loops happens in each iteration of the joined loop.
#include <stdio.h>

int main(void) {
    enum { N = 20, M = 30 };
    static double b[N][M], c[N][M];
    double s = 0;
#pragma acc parallel loop collapse(force: 2) copyout(b)
    for (int i = 0; i < N; i++) {
        double k = i * i;
        for (int j = 0; j < M; j++)
            b[i][j] = k + j;
    }
#pragma acc parallel loop gang(static: 4) copyout(c) copyin(b)
    for (int i = 0; i < N; i++) {
#pragma acc loop tile(8)
        for (int j = 0; j < M; j++)
            c[i][j] = b[i][M - 1 - j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            s += b[i][j] * (i + 2 * j) + c[i][j] * j;
    printf("%.12g\n", s);
    return 0;
}
