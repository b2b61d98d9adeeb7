// A pointer in a `map` clause without a section: the pointer itself is mapped.
// cflags: -fopenmp
// launches: 3
#include <stdio.h>

struct list { int length; int *values; };

int main(void)
{
    int values[4] = {1, 2, 3, 4}, *p = values, *none = 0, errors = 0, length = 0;
    struct list list = {4, values};
    #pragma omp target map(tofrom: p, none) map(from: length)
    {
        length = p != 0 && none == 0;
        p = 0;
    }
    errors += p != 0 || none != 0 || length != 1;
    p = values;
    // It can point to what the region has.
    #pragma omp target enter data map(to: p)
    #pragma omp target map(tofrom: values)
    {
        p = values;
        for (int i = 0; i < 4; i++)
            p[i] *= 2;
    }
    #pragma omp target exit data map(release: p)
    errors += values[3] != 8;
    #pragma omp target map(to: list.length) map(to: values) map(from: length)
    length = list.length + values[0];
    errors += length != 6;
    printf("%d errors\n", errors);
    return errors;
}
