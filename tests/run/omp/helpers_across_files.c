// A region that calls a function of another file, and one of its own that uses a static variable: `declare target` names both.
// cflags: -fopenmp
// with: helpers_across_files.part.c
#include <stdio.h>

int twice(int);
#pragma omp declare target(twice)

static int offset = 3;
static double table[4] = {1, 2, 3, 4};
#pragma omp declare target(offset, table)

static int moved(int x) { return x + offset; }

static double at(int k) { return table[k % 4] + moved(k); }

int main(void)
{
    int sum = 0;
    double all = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < 10; i++)
        sum += twice(1) + moved(i);
    offset = 5;
#pragma omp target update to(offset)
#pragma omp target teams distribute parallel for reduction(+ : all)
    for (int i = 0; i < 100; i++)
        all += at(i) * twice(i);
    printf("%d %g\n", sum, all);
    return 0;
}
