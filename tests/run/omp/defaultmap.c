// What `defaultmap` says of scalars, arrays, structs and pointers, in each of its behaviors, alone and beside clauses.
// cflags: -fopenmp
// launches: 8
#include <stdio.h>
#include <stdlib.h>

struct pair { int a, b; };

int main(void) {
    int n = 40, sum = 0, last = 0, in = 3, out = 0;
    int v[40];
    struct pair p = {1, 2};
    for (int i = 0; i < n; i++)
        v[i] = i;

    #pragma omp target defaultmap(tofrom: scalar)
    {
        for (int i = 0; i < n; i++)
            sum += v[i];
        last = v[n - 1];
    }
    printf("tofrom scalar: %d %d\n", sum, last);

    // Teams update one scalar.
    #pragma omp target teams distribute parallel for defaultmap(tofrom: scalar)
    for (int i = 0; i < n; i++) {
        #pragma omp atomic
        sum += v[i];
    }
    printf("atomic: %d\n", sum);

    #pragma omp target teams distribute parallel for reduction(+: sum) defaultmap(tofrom: scalar)
    for (int i = 0; i < n; i++)
        sum += in;
    printf("reduction: %d\n", sum);

    #pragma omp target defaultmap(from: scalar) map(to: in)
    out = in * 2;
    printf("from: %d\n", out);

    #pragma omp target defaultmap(tofrom)
    {
        p.a += in;
        v[3] = p.a + p.b;
        out++;
    }
    printf("all: %d %d %d\n", p.a, v[3], out);

    #pragma omp target defaultmap(firstprivate: scalar) defaultmap(tofrom: aggregate)
    {
        p.b += in++;
        v[4] = in;
    }
    printf("two: %d %d %d\n", p.b, v[4], in);

    #pragma omp target defaultmap(to: aggregate) defaultmap(tofrom: scalar)
    out = v[4] + p.a;
    printf("to: %d\n", out);

    int *q = malloc(10 * sizeof *q);
    #pragma omp target data map(from: q[0:10])
    {
        #pragma omp target defaultmap(none: aggregate) defaultmap(tofrom: scalar) defaultmap(default: pointer)
        for (int i = 0; i < 10; i++)
            q[i] = i + out;
    }
    printf("pointer: %d %d\n", q[0], q[9]);
    free(q);
    return 0;
}
