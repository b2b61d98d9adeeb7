// A nested reduction of one variable: the outer gang loop and the inner vector loop both name it.
#include <stdio.h>

#define N 50
#define M 60

int main(void)
{
    int s = 3;
    double d = 0;
#pragma acc parallel loop gang reduction(+:s, d)
    for (int i = 0; i < N; i++) {
#pragma acc loop vector reduction(+:s, d)
        for (int j = 0; j < M; j++) {
            s += (i + j) % 4;
            d += i * j;
        }
    }
    printf("%d %g\n", s, d);
    return 0;
}
