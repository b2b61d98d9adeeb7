// `loop` among the threads of a team with loops of lanes, of threads and of nobody in it.
// cflags: -fopenmp
// expect-output: loop_simd.expect
// launches: 5
#include <stdio.h>
#define N 100

static int a[N], b[N], sums[N];

static int right(int factor) {
    int n = 0;
    for (int i = 0; i < N; i++)
        n += a[i] == factor * b[i] && sums[i] == N * b[i];
    return n;
}

int main(void) {
    for (int i = 0; i < N; i++)
        b[i] = i;
    #pragma omp target parallel loop map(to: b) map(from: a, sums)
    for (int k = 0; k < N; k++) {
        int sum = 0;
        #pragma omp simd reduction(+: sum)
        for (int p = 0; p < N; p++)
            sum += b[k];
        sums[k] = sum;
        a[k] = b[k];
    }
    printf("%d\n", right(1));

    #pragma omp target parallel loop map(to: b) map(from: a)
    for (int k = 0; k < N; k++) {
        int own[3];
        #pragma omp loop
        for (int p = 0; p < 3; p++)
            own[p] = p * b[k];
        a[k] = own[0] + own[1] + own[2];
    }
    printf("%d\n", right(3));

    #pragma omp target teams map(to: b) map(from: a, sums)
    #pragma omp loop bind(teams)
    for (int k = 0; k < N; k++) {
        int sum = 0;
        #pragma omp simd reduction(+: sum)
        for (int p = 0; p < N; p++)
            sum += b[k];
        sums[k] = sum;
        a[k] = 2 * b[k];
    }
    printf("%d\n", right(2));

    #pragma omp target map(to: b) map(from: a, sums)
    #pragma omp parallel
    {
        #pragma omp loop bind(parallel)
        for (int k = 0; k < N; k++) {
            int sum = 0;
            #pragma omp simd reduction(+: sum)
            for (int p = 0; p < N; p++)
                sum += b[k];
            sums[k] = sum;
        }
        #pragma omp loop
        for (int k = 0; k < N; k++)
            a[k] = 3 * b[k];
    }
    printf("%d\n", right(3));

    #pragma omp target teams loop map(to: b) map(from: a, sums)
    for (int k = 0; k < N; k++) {
        int sum = 0;
        #pragma omp simd reduction(+: sum)
        for (int p = 0; p < N; p++)
            sum += b[k];
        sums[k] = sum;
        a[k] = 4 * b[k];
    }
    printf("%d\n", right(4));
    return 0;
}
