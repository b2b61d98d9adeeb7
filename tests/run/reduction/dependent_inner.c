// An inner reduction's result feeds the outer reduction: sum of row maxima, maximum of row sums.
#include <stdio.h>

#define N 64
#define M 48

int main(void)
{
    static int a[N][M];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 53 + j * 29) % 71;
    int sum_of_max = 0, max_of_sum = 0;
#pragma acc parallel loop gang copyin(a) reduction(+:sum_of_max) reduction(max:max_of_sum)
    for (int i = 0; i < N; i++) {
        int m = 0, s = 0;
#pragma acc loop vector reduction(max:m) reduction(+:s)
        for (int j = 0; j < M; j++) {
            m = a[i][j] > m ? a[i][j] : m;
            s += a[i][j];
        }
        sum_of_max += m;
        max_of_sum = s > max_of_sum ? s : max_of_sum;
    }
    printf("%d %d\n", sum_of_max, max_of_sum);
    return 0;
}
