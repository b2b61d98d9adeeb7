// Scalars declared outside of the construct that loops use as counters and temporaries.
// launches: 3
#include <stdio.h>

int main(void)
{
    enum { N = 100, M = 12 };
    double a[N][M], y[N], z[N];
    int i, j, first[N];
    double t, s;
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            a[i][j] = i * M + j;
#pragma acc parallel loop gang vector copyin(a) copyout(y)
    for (i = 0; i < N; i++) {
        s = 0;
        for (j = 0; j < M; j++) {
            t = a[i][j] * 2;
            s += t;
        }
        y[i] = s;
    }
#pragma acc parallel loop gang copyin(a) copyout(z)
    for (i = 0; i < N; i++) {
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int k = 0; k < M; k++) {
            if (k % 2)
                t = a[i][k];
            else
                t = -a[i][k];
            for (j = 0; j < 3; j++)
                sum += t * j;
        }
        z[i] = sum;
    }
#pragma acc parallel loop gang num_workers(2) copyin(a) copyout(first)
    for (i = 0; i < N; i += 2) {
#pragma acc loop worker
        for (int w = 0; w < 2; w++) {
            j = 0;
            while (a[i + w][j] < 600 && j < M - 1)
                j++;
            first[i + w] = j;
        }
    }
    for (i = 0; i < N; i++)
        printf("%g %g %d\n", y[i], z[i], first[i]);
    return 0;
}
