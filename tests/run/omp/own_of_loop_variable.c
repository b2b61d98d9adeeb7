// Constructs in a loop whose clauses give them an own object of the loop's variable, which they may change;
// without directives it is the loop's, and gets its value back.
// cflags: -fopenmp
// launches: 4
#include <stdio.h>

#define N 24

int main(void)
{
    int a[N][N], b[N], c[N], d[N];
#pragma omp target teams distribute map(from : a)
    for (int i = 0; i < N; i++)
#pragma omp parallel for firstprivate(i)
        for (int j = 0; j < N; j++)
            a[i][j] = i * j + 1;
#pragma omp target parallel for map(from : b)
    for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i)
    {
        int at = i;
        i += 3;
        b[at] = i * i;
        i = at;
    }
#pragma omp target parallel for map(from : c)
    for (int i = 0; i < N; i++) {
        int row = i, sum = 0;
#pragma omp simd private(i) reduction(+ : sum)
        for (int j = 0; j < N; j++) {
            i = j * 2;
            sum += i;
            i = row;
        }
        c[i] = sum + i;
    }
#pragma omp target teams distribute parallel for map(from : d)
    for (int i = 0; i < N; i++) {
        d[i] = 1;
#pragma omp taskgroup
        for (int k = 0; k < 4; k++)
#pragma omp task firstprivate(i, k) shared(d)
            d[i] += i * k;
    }
    long s = 0;
    for (int i = 0; i < N; i++) {
        s = s * 3 + b[i] + c[i] * 5 + d[i] * 7;
        for (int j = 0; j < N; j++)
            s += a[i][j] * (j + 1);
        s %= 1000003;
    }
    printf("%ld %d %d %d\n", s, b[N - 1], c[N - 1], d[N - 1]);
    return 0;
}
