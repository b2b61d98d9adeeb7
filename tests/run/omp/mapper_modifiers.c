// What clauses of mappers say beside the type of map: always, present, iterators; a mapper that names nothing but what a member leads to.
// cflags: -fopenmp
// expect-output: mapper_modifiers.expect
// modes: discrete sim opencl (memory of their own)
// launches: 6
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    size_t len;
    int *data;
} vector;
#pragma omp declare mapper(vector v) map(always, tofrom: v.data[0:v.len])

struct row {
    int n, sum, *values;
};
#pragma omp declare mapper(struct row r) map(always, present, from: r.sum) map(iterator(i = 0:r.n), to: r.values[i])
#pragma omp declare mapper(once: struct row r) map(to: r) map(tofrom: r.values[0:r.n])

struct table {
    struct row rows[2];
};

static void add(vector *v, int by)
{
    for (size_t i = 0; i < v->len; i++)
        v->data[i] += by;
}

int main(void)
{
    vector s = {10, malloc(10 * sizeof(int))};
    for (int i = 0; i < 10; i++)
        s.data[i] = i;
#pragma omp target enter data map(to: s.len, s.data[0:s.len]) map(alloc: s.data)
    // With `always` it comes back, though it stays on the device.
#pragma omp target map(tofrom: s)
    add(&s, 100);
    printf("%d\n", s.data[5]);
    s.data[5] = 1;
#pragma omp target
    add(&s, 7);
    printf("%d %d\n", s.data[5], s.data[6]);
#pragma omp target exit data map(delete: s.len, s.data, s.data[0:s.len])
    printf("%d\n", s.data[7]);

    struct row r = {4, -1, malloc(4 * sizeof(int))};
    for (int i = 0; i < 4; i++)
        r.values[i] = i + 1;
#pragma omp target enter data map(mapper(once), to: r)
#pragma omp target map(tofrom: r)
    {
        r.sum = 0;
        for (int i = 0; i < r.n; i++)
            r.sum += r.values[i];
    }
    printf("%d\n", r.sum);
    r.values[3] = 10;
#pragma omp target update to(r)
#pragma omp target
    {
        r.sum = 0;
        for (int i = 0; i < r.n; i++)
            r.sum += r.values[i];
    }
    printf("%d\n", r.sum);
#pragma omp target exit data map(mapper(once), release: r)

    vector many[2] = {s, {3, malloc(3 * sizeof(int))}};
    for (int i = 0; i < 3; i++)
        many[1].data[i] = 0;
#pragma omp target enter data map(to: many[0:2])
#pragma omp target map(tofrom: many[0:2])
    for (int k = 0; k < 2; k++)
        add(&many[k], k + 1);
    printf("%d %d\n", many[0].data[0], many[1].data[2]);
#pragma omp target map(tofrom: many)
    for (int k = 0; k < 2; k++)
        add(&many[k], k + 1);
    printf("%d %d\n", many[0].data[0], many[1].data[2]);
#pragma omp target exit data map(delete: many[0:2])
    return 0;
}
