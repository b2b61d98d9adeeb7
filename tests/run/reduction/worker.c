// A worker reduction inside each gang's iteration.
#include <stdio.h>

#define N 40
#define M 70

int main(void)
{
    static int a[N][M];
    int row[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 31 + j * 17) % 23;
#pragma acc parallel loop gang num_workers(4) copyin(a) copyout(row)
    for (int i = 0; i < N; i++) {
        int s = i;
#pragma acc loop worker reduction(+:s)
        for (int j = 0; j < M; j++)
            s += a[i][j];
        row[i] = s;
    }
    for (int i = 0; i < N; i++)
        printf("%d ", row[i]);
    printf("\n");
    return 0;
}
