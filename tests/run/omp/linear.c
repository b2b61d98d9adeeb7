// `linear`: a variable that grows by as much in each iteration, on parallel and on simd loops; the last value comes back.
// cflags: -fopenmp
// expect-output: linear.expect
// launches: 6
#include <stdio.h>
#define N 100

int main(void) {
    int a[N], b[2 * N], j = 0, by = 3;
    long at = 5;
    unsigned short down = 300;
    for (int i = 0; i < 2 * N; i++)
        b[i] = i * i;
    #pragma omp target parallel for linear(j: 2) map(from: a) map(to: b)
    for (int i = 0; i < N; i++) {
        a[i] = b[j];
        j += 2;
    }
    printf("%d %d %d\n", a[1], a[99], j);

    #pragma omp target simd linear(at: by) map(from: a) firstprivate(by)
    for (int i = 10; i < N; i += 3) {
        at += by;
        a[i] = at;
    }
    printf("%d %d %ld\n", a[10], a[97], at);

    int k = 0;
    #pragma omp target map(tofrom: a, k)
    #pragma omp parallel for linear(k)
    for (int i = N - 1; i >= 0; i--)
        a[i] = k++;
    printf("%d %d %d\n", a[99], a[0], k);

    int i;
    #pragma omp target simd linear(i) map(tofrom: a)
    for (i = 0; i < N; i++)
        a[i] += 1;
    printf("%d %d\n", a[99], i);

    #pragma omp target parallel for linear(down: -2) map(from: a)
    for (unsigned u = 0; u < N; u++) {
        a[u] = down;
        down -= 2;
    }
    printf("%d %d %d\n", a[0], a[99], down);

    enum { MANY = 5000 };
    static int many[MANY];
    int value = 0;
    #pragma omp target data map(tofrom: many, value)
    {
        #pragma omp target parallel for linear(value: 2)
        for (int m = 0; m < MANY; m++) {
            value += 2;
            many[m] = value;
        }
    }
    printf("%d %d %d\n", many[0], many[MANY - 1], value);
    return 0;
}
