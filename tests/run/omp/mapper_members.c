// Mappers for members: named in clauses, in sections behind pointers, in other mappers, and where directives are deferred (OpenMP 5.2, section 5.8.8).
// cflags: -fopenmp
// expect-output: mapper_members.expect
// launches: 6
#include <stdio.h>
#include <stdlib.h>

struct row {
    int n;
    double *v;
};
#pragma omp declare mapper(struct row r) map(r.n, r.v, r.v[0:r.n])

struct table {
    int k;
    struct row head;
    struct row *rows;
    int count;
};

typedef struct {
    struct row *first;
    struct row spare;
    long weight;
} pair_t;
#pragma omp declare mapper(pair_t p) map(p.weight, p.first, p.first[0]) map(alloc: p.spare)
#pragma omp declare mapper(backwards: pair_t p) map(from: p.weight) map(to: p.first) map(from: p.first[0])

static struct row row(int n, double start)
{
    struct row r = {n, malloc(n * sizeof(double))};
    for (int i = 0; i < n; i++)
        r.v[i] = start + i;
    return r;
}

int main(void)
{
    struct table t = {3, row(4, 1), malloc(3 * sizeof(struct row)), 3};
    for (int i = 0; i < t.count; i++)
        t.rows[i] = row(2 + i, 10 * i);

    #pragma omp target map(tofrom: t.head) map(tofrom: t.k)
    {
        for (int i = 0; i < t.head.n; i++)
            t.head.v[i] *= 2;
        t.k++;
    }
    printf("%g %d\n", t.head.v[3], t.k);

    struct table *p = &t;
    #pragma omp target map(to: p->head) map(tofrom: t.k)
    t.k += (int)p->head.v[0];
    printf("%d\n", t.k);

    // Elements behind a member, with what the directive depends on.
    int ready = 0;
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp task depend(out: ready)
        {
            t.rows[0].v[0] = 100;
            ready = 1;
        }
        #pragma omp target map(tofrom: t.rows[0:3]) map(to: t.count) nowait depend(inout: ready)
        for (int r = 0; r < t.count; r++)
            for (int i = 0; i < t.rows[r].n; i++)
                t.rows[r].v[i] += r + 1;
        #pragma omp task depend(in: ready)
        printf("%g %g %g %d\n", t.rows[0].v[0], t.rows[1].v[2], t.rows[2].v[3], ready);
    }

    // A mapper whose items have mappers.
    pair_t q = {malloc(sizeof(struct row)), row(3, 0), 7};
    *q.first = row(3, 5);
    #pragma omp target map(tofrom: q)
    {
        for (int i = 0; i < q.first->n; i++) {
            q.spare.v[i] = q.first->v[i] * 10;
            q.first->v[i] = q.spare.v[i] + q.weight;
        }
        q.weight = 8;
    }
    printf("%g %g %ld\n", q.first->v[0], q.first->v[2], q.weight);

    #pragma omp target
    q.first->v[1] = q.weight;
    printf("%g\n", q.first->v[1]);

    #pragma omp target data map(tofrom: q)
    {
        #pragma omp target map(mapper(backwards), tofrom: q)
        q.first->v[0] = -1;
        #pragma omp target update from(q)
        printf("%g\n", q.first->v[0]);
    }
    return 0;
}
