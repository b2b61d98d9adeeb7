// `simd` in `simd`: what is inside runs in order, in regions, in `parallel`, with reductions, and in functions (OpenMP 5.2, section 10.4).
// cflags: -fopenmp
// expect-output: simd_in_simd.expect
// launches: 3
#include <stdio.h>
#define N 40
#define M 7

static int a[N][M];

static int row_sum(const int *row)
{
    int sum = 0;
    #pragma omp simd reduction(+: sum)
    for (int j = 0; j < M; j++)
        sum += row[j];
    return sum;
}

static void show(const char *what)
{
    int sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum = (sum * 31 + a[i][j]) % 100003;
    printf("%s %d\n", what, sum);
}

int main(void)
{
    #pragma omp target map(tofrom: a)
    {
        #pragma omp simd
        for (int i = 0; i < N; i++) {
            #pragma omp simd
            for (int j = 0; j < M; j++)
                a[i][j] = i * j + 1;
        }
    }
    show("rows");

    int total = 0;
    #pragma omp target teams distribute parallel for map(tofrom: a) reduction(+: total)
    for (int k = 0; k < N / 4; k++) {
        int own = 0;
        #pragma omp simd reduction(+: own)
        for (int i = 4 * k; i < 4 * k + 4; i++) {
            int sum = 0;
            #pragma omp simd reduction(+: sum)
            for (int j = 0; j < M; j++)
                sum += a[i][j];
            a[i][0] = sum;
            own += sum;
        }
        total += own;
    }
    printf("%d\n", total);
    show("sums");

    #pragma omp target simd map(tofrom: a)
    for (int i = 0; i < N; i++)
        a[i][1] = row_sum(a[i]);
    show("functions");
    return 0;
}
