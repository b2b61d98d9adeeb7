// As in loops/bounds_of_other_types: the bound is compared in C's type, which is not the loop variable's.
// cflags: -fopenmp
// expect-output: bounds_of_other_types.expect
// launches: 5
#include <stdio.h>

static int x[300];

static void show(void)
{
    int sum = 0;
    for (int i = 0; i < 300; i++) {
        sum += x[i] * (i + 1);
        x[i] = 0;
    }
    printf("%d\n", sum);
}

int main(void)
{
    volatile int minus = -3;
    volatile long none = 0;
    int n = minus;
    long rows = none;
#pragma omp target teams distribute parallel for map(tofrom : x)
    for (unsigned char i = 0; i < n; i++)
        x[i] += 1;
    show();
#pragma omp target teams distribute parallel for map(tofrom : x)
    for (unsigned i = 0; i < rows - 1; i++)
        x[i % 300] += 1;
    show();
#pragma omp target parallel for simd map(tofrom : x)
    for (signed char i = 5; i > n; i--)
        x[i + 10] += 1;
    show();
#pragma omp target teams loop collapse(2) map(tofrom : x)
    for (unsigned short i = 0; i <= n + 6; i++)
        for (int j = 0; j < rows + 7; j++)
            x[i * 10 + j] += 1;
    show();
#pragma omp target map(tofrom : x)
    {
#pragma omp simd
        for (unsigned i = 0; i < rows - 1; i++)
            x[i % 300] += 1;
    }
    show();
    return 0;
}
