// Object-like and function-like macros inside clauses are expanded.
// launches: 2
#include <stdio.h>

#define N 16
#define HALF(x) ((x) / 2)
#define COPY copy
#define OP +
#define QUEUE 2

int main(void)
{
    int a[N], s = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma acc parallel loop COPY(a[0:N]) num_gangs(HALF(N)) vector_length(N * 2)
    for (int i = 0; i < N; i++)
        a[i] += N;
#pragma acc parallel loop copyin(a[HALF(N):HALF(N)]) reduction(OP:s) async(QUEUE)
    for (int i = HALF(N); i < N; i++)
        s += a[i];
#pragma acc wait(QUEUE)
    printf("%d %d\n", a[0], s);
    return 0;
}
