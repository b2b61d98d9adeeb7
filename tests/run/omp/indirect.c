// Functions that regions call through pointers to them.
// cflags: -fopenmp
// expect-output: indirect.expect
// launches: 2
#include <stdio.h>

#pragma omp begin declare target indirect
static int one(int x) { return x + 1; }
static int two(int x) { return 2 * x; }
#pragma omp end declare target

int three(int x);
#pragma omp declare target enter(three) indirect(1) device_type(any)
int three(int x) { return 3 - x; }

typedef int (*function)(int);

int main(void) {
    function table[3] = {one, two, three}, chosen = table[2];
    int results[9], y = 0, errors = 0;
    #pragma omp target map(from: y)
    y = chosen(5);
    errors += y != -2;
    #pragma omp target teams distribute parallel for map(to: table) map(from: results)
    for (int i = 0; i < 9; i++)
        results[i] = table[i % 3](i);
    for (int i = 0; i < 9; i++)
        errors += results[i] != table[i % 3](i);
    printf("%d errors\n", errors);
    return errors;
}
