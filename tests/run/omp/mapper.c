// Mappers that clauses name, and iterators over the subscripts of sections, in regions, around them and in updates.
// cflags: -fopenmp
// expect-output: mapper.expect
#include <stdio.h>
#include <stdlib.h>

#define N 40

struct part {
    int len;
    double *data;
    short kind;
};

typedef struct {
    struct part inner;
    float weights[4];
    long *ids;
} whole_t;

#pragma omp declare mapper(all: struct part v) map(to: v, v.len) map(tofrom: v.data[0:v.len])
#pragma omp declare mapper(ids: whole_t w) map(alloc: w.ids[0:N]) map(tofrom: w, w.weights)

static int shared;

static struct part make(int n)
{
    struct part s = {n, malloc(n * sizeof(double)), 3};
    for (int i = 0; i < n; i++)
        s.data[i] = i;
    return s;
}

static int in_regions(void)
{
    int errors = 0;
    struct part s = make(N), t[3] = {make(5), make(6), make(7)};
    #pragma omp target map(mapper(all), tofrom: s)
    for (int i = 0; i < s.len; i++)
        s.data[i] += s.kind;
    for (int i = 0; i < N; i++)
        errors += s.data[i] != i + 3;
    #pragma omp target teams distribute parallel for map(mapper(all), to: t[1])
    for (int i = 0; i < 6; i++)
        t[1].data[i] = 7;
    errors += t[1].data[4] != (shared ? 7 : 4);
    struct part *p = &t[2];
    #pragma omp target enter data map(mapper(all), to: p[0:1])
    p->data[2] = 50;
    #pragma omp target update to(mapper(all): p[0:1])
    #pragma omp target
    p->data[2] += 1;
    #pragma omp target update from(mapper(all): p[0:1])
    errors += p->data[2] != 51;
    #pragma omp target exit data map(mapper(all), release: p[0:1])
    free(s.data);
    for (int k = 0; k < 3; k++)
        free(t[k].data);
    return errors;
}

static int members(void)
{
    #pragma omp declare mapper(half: struct part x) map(x, x.data[0:x.len / 2])
    int errors = 0;
    struct part s = make(20);
    #pragma omp target data map(mapper(half), to: s)
    {
        #pragma omp target
        for (int i = 0; i < 10; i++)
            s.data[i] = 100 + i;
        #pragma omp target update from(s.data[:5:2])
    }
    for (int i = 0; i < 20; i++)
        errors += s.data[i] != (i < 10 && (shared || i % 2 == 0) ? 100 + i : i);
    whole_t w = {s, {1, 2, 3, 4}, calloc(N, sizeof(long))};
    #pragma omp target map(mapper(ids), tofrom: w)
    {
        w.weights[2] = 30;
        w.ids[3] = 9;
    }
    errors += w.weights[2] != 30 || w.weights[3] != 4 || w.ids[3] != (shared ? 9 : 0);
    free(w.ids);
    free(s.data);
    return errors;
}

static int iterators(int n)
{
    int errors = 0, *rows[N], a[N];
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(4 * sizeof(int));
        rows[i][0] = i;
        a[i] = i;
    }
    #pragma omp target map(iterator(it = 0:N), tofrom: rows[it][:1]) map(to: rows)
    for (int i = 0; i < N; i++)
        rows[i][0] += 2;
    #pragma omp target map(iterator(int k = 2:n), tofrom: rows[k][0:1])
    for (int i = 2; i < n; i++)
        rows[i][0] += 100;
    for (int i = 0; i < N; i++)
        errors += rows[i][0] != i + 2 + (i >= 2 && i < n ? 100 : 0);
    #pragma omp target data map(to: a)
    {
        for (int i = 0; i < N; i++)
            a[i] = 50 + i;
        #pragma omp target update to(iterator(it = 1:n:3): a[it])
        #pragma omp target
        for (int i = 0; i < N; i++)
            a[i] += 1;
        #pragma omp target update from(present, iterator(it = 0:N): a[it])
        for (int i = 0; i < N; i++)
            errors += a[i] != (shared || i % 3 == 1 && i < n ? 51 + i : 1 + i);
    }
    for (int i = 0; i < N; i++)
        free(rows[i]);
    return errors;
}

int main(void)
{
    #pragma omp target map(to: shared)
    shared = 1;
    printf("%d in regions\n", in_regions());
    printf("%d of members\n", members());
    printf("%d with iterators\n", iterators(20) + iterators(3));
    return 0;
}
