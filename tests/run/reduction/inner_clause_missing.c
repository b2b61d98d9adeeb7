// The clause stands on the construct or on the outer loop only; the inner loops update the variable all the same.
// launches: 4
#include <stdio.h>

#define N 300

int main(void)
{
    static int a[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 31 + j * 17) % 101 - 50;
    long on_construct = 0, on_outer = 0, workers = 1;
    int largest = -1000;
#pragma acc parallel copyin(a) reduction(+ : on_construct)
    {
#pragma acc loop
        for (int i = 0; i < N; i++)
            on_construct = on_construct + a[i][i];
    }
#pragma acc parallel loop gang copyin(a) reduction(+ : on_outer)
    for (int i = 0; i < N; i++) {
#pragma acc loop vector
        for (int j = 0; j < N; j++)
            on_outer += a[i][j];
    }
#pragma acc parallel loop gang copyin(a) reduction(max : largest)
    for (int i = 0; i < N; i++) {
#pragma acc loop worker
        for (int j = 0; j < N; j++) {
            int x = a[i][j] * (i - j);
            if (x > largest)
                largest = x;
        }
    }
#pragma acc parallel num_gangs(1) copyin(a) reduction(+ : workers)
    {
#pragma acc loop worker vector collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                workers += a[i][j] > 0;
    }
    printf("%ld %ld %d %ld\n", on_construct, on_outer, largest, workers);
    return 0;
}
