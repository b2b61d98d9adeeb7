// One variable in several map clauses of a directive: what each of them says is done. `present` with and beside other types, with
// `always`, and on directives that make and end mappings.
// cflags: -fopenmp
// expect-output: map_several.expect
#include <stdio.h>
#include <stdlib.h>

static int shared;

static int joined(void)
{
    int errors = 0, found = 0, x = 80, y = 5, a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct { int n; double d[3]; } s = {3, {1.5, 2.5, 3.5}};
    #pragma omp target map(alloc: x, a, s) map(to: x, a, s) map(tofrom: found)
    {
        found = x == 80 && a[2] == 2 && s.n == 3 && s.d[2] == 3.5;
        x = 81;
        a[2] = 20;
    }
    errors += !found || x != (shared ? 81 : 80) || a[2] != (shared ? 20 : 2);
    x = 80;
    a[2] = 2;
    #pragma omp target map(to: x, a[0:8]) map(from: x, a[0:8])
    {
        x += 1;
        a[3] += 30;
    }
    errors += x != 81 || a[3] != 33 || a[7] != 7;
    #pragma omp target enter data map(alloc: a[2:4]) map(to: a[2:4])
    #pragma omp target map(a[2:4])
    a[5] += 50;
    #pragma omp target exit data map(release: a[2:4]) map(from: a[2:4])
    errors += a[5] != 55;
    #pragma omp target data map(alloc: y) map(tofrom: y)
    {
        #pragma omp target map(alloc: y) map(always, from: y)
        y += 1;
        errors += y != 6;
    }
    errors += y != 6;
    return errors;
}

static int present(int n)
{
    int errors = 0, *p = malloc(n * sizeof *p), x[16], total = 0;
    for (int i = 0; i < 16; i++)
        x[i] = i;
    for (int i = 0; i < n; i++)
        p[i] = i;
    #pragma omp target data map(tofrom: x)
    {
        #pragma omp target map(present, to: x) map(from: x)
        for (int i = 0; i < 16; i++)
            x[i] += i;
        x[3] = 300;
        #pragma omp target map(always, present, to: x[3:1]) map(tofrom: total)
        total += x[3];
        errors += total != 300;
        #pragma omp target map(present, always, tofrom: x[4:1])
        x[4] = 400;
        errors += x[4] != 400;
    }
    errors += x[5] != 10 || x[3] != 300;
    #pragma omp target enter data map(to: p[0:n])
    #pragma omp target enter data map(present, to: p[2:n - 2])
    #pragma omp target map(present, tofrom: p[0:n])
    for (int i = 0; i < n; i++)
        p[i] *= 2;
    #pragma omp target exit data map(present, release: p[2:n - 2])
    #pragma omp target exit data map(present, from: p[0:n])
    for (int i = 0; i < n; i++)
        errors += p[i] != 2 * i;
    int other = 3;
    #pragma omp target data map(to: p[0:n])
    {
        p[1] = 9;
        #pragma omp target update to(present: p[1:1]) to(other)
        #pragma omp target map(from: total)
        total = p[1];
        errors += total != 9;
    }
    free(p);
    return errors;
}

static int copied(int n)
{
    int errors = 0, arr[32];
    for (int i = 0; i < 32; i++)
        arr[i] = i;
    #pragma omp target teams distribute parallel for map(to: arr[0:32]) firstprivate(arr) map(tofrom: errors)
    for (int i = 0; i < n; i++) {
        arr[i] += 10;
        if (arr[i] != i + 10) {
            #pragma omp atomic
            errors += 1;
        }
    }
    return errors + (arr[3] != 3);
}

int main(void)
{
    #pragma omp target map(to: shared)
    shared = 1;
    printf("%d joined\n", joined());
    printf("%d present\n", present(50));
    printf("%d copied\n", copied(32));
    return 0;
}
