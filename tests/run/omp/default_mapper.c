// Mappers for all objects of a type: named, implicit, in arrays, behind pointers, around data and in updates.
// cflags: -fopenmp
// expect-output: default_mapper.expect
// launches: 10
#include <stdio.h>
#include <stdlib.h>
#define N 12

typedef struct part {
    int len;
    double *data;
    short kind;
} part_t;

#pragma omp declare mapper(struct part v) map(v, v.data[0:v.len])

typedef struct {
    int n, *ids;
    float weights[4];
} list_t;

static part_t whole = {3};

static part_t make(int n)
{
    part_t s = {n, malloc(n * sizeof(double)), 3};
    for (int i = 0; i < n; i++)
        s.data[i] = i;
    return s;
}

static double sum(const part_t *p)
{
    double s = 0;
    for (int i = 0; i < p->len; i++)
        s += p->data[i] * (i + 1);
    return s;
}

static void objects(void)
{
    struct part s = make(N), t[3] = {make(5), make(6), make(7)};
    part_t other = make(4);
    #pragma omp target map(tofrom: s)
    for (int i = 0; i < s.len; i++)
        s.data[i] += s.kind;
    // No clause names it.
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        other.data[i % other.len] = i % other.len + s.data[i % other.len];
    #pragma omp target map(t[1])
    t[1].data[2] = 7;
    whole = make(8);
    #pragma omp target
    whole.data[3] = -1;
    printf("%g %g %g %g\n", sum(&s), sum(&other), sum(&t[1]), sum(&whole));
}

static void sections(part_t *p, int n)
{
    #pragma omp target enter data map(to: p[0:n])
    #pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            p[i].data[j] += 100 * i;
    #pragma omp target update from(p[1:n - 2])
    for (int i = 1; i < n - 1; i++)
        p[i].data[0] = -5;
    #pragma omp target update to(p[1:n - 2])
    #pragma omp target
    p[1].data[0] *= 2;
    #pragma omp target exit data map(from: p[0:n])
    double all = 0;
    for (int i = 0; i < n; i++)
        all += sum(p + i);
    printf("%g\n", all);

    part_t of[3] = {make(2), make(3), make(4)};
    if (n > 2)
        #pragma omp target map(tofrom: p[2:n - 2]) map(tofrom: of)
        for (int i = 0; i < 3; i++)
            of[i].data[1] += p[2].data[i];
    #pragma omp target data map(to: of, n)
    {
        #pragma omp target
        for (int i = 0; i < 3; i++)
            of[i].data[0] = 9 + n;
        #pragma omp target update from(of)
    }
    printf("%g %g %g\n", sum(of), sum(of + 1), sum(of + 2));
}

static int in_function(int n)
{
    #pragma omp declare mapper(default: list_t it) map(it.n, it.weights) map(to: it.ids[:it.n])
    list_t lists[2] = {{n, malloc(n * sizeof(int)), {1}}, {n, malloc(n * sizeof(int)), {2}}}, *l = lists;
    for (int i = 0; i < n; i++)
        lists[0].ids[i] = lists[1].ids[i] = i;
    #pragma omp target map(l[0:2])
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < l[k].n; i++)
            l[k].weights[k] += l[k].ids[i];
    printf("%g %g\n", lists[0].weights[0], lists[1].weights[1]);
    return n;
}

// A mapper with a name, for a section behind a pointer of a struct.
struct whole {
    int n;
    list_t *lists;
};
#pragma omp declare mapper(deep: list_t l) map(l, l.ids[0:l.n])

static void named(struct whole *w, int from)
{
    #pragma omp target data map(to: w[0:1])
    #pragma omp target parallel for map(mapper(deep), tofrom: w->lists[from:w->n - from])
    for (int i = from; i < w->n; i++)
        for (int k = 0; k < w->lists[i].n; k++)
            w->lists[i].ids[k] += k + i;
    int all = 0;
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < w->lists[i].n; k++)
            all += w->lists[i].ids[k] * (k + 1);
    printf("%d\n", all);
}

int main(void)
{
    objects();
    struct whole w = {5, calloc(5, sizeof(list_t))};
    for (int i = 0; i < 5; i++) {
        w.lists[i].n = 3 + i;
        w.lists[i].ids = calloc(3 + i, sizeof(int));
    }
    named(&w, 2);
    part_t *p = malloc(4 * sizeof *p);
    for (int i = 0; i < 4; i++)
        p[i] = make(4 + i);
    sections(p, 4);
    return in_function(20) != 20;
}
