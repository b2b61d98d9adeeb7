// Members of structs in map clauses, of variables and through pointers, where nothing maps the structs themselves: each is in the
// device's struct, and its pointers lead to what is mapped.
// cflags: -fopenmp
// expect-output: members.expect
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int k;
    float weights[4];
    long *ids;
    long *more;
} whole_t;

struct outer {
    int n;
    whole_t *inner;
};

static whole_t make(int n)
{
    whole_t w = {1, {1, 2, 3, 4}, malloc(n * sizeof(long)), malloc(n * sizeof(long))};
    for (int i = 0; i < n; i++)
        w.ids[i] = w.more[i] = i;
    return w;
}

static long sum(const whole_t *w, int n)
{
    long s = 1000 * w->k;
    for (int i = 0; i < 4; i++)
        s += 10 * w->weights[i];
    for (int i = 0; i < n; i++)
        s += (i + 1) * (w->ids[i] + 3 * w->more[i]);
    return s;
}

static long through_pointers(int n)
{
    whole_t w = make(n), *p = &w;
    #pragma omp target map(tofrom: p->ids[0:n])
    p->ids[3] += 9;
    #pragma omp target teams distribute parallel for map(tofrom: p->ids[0:n], p->more[0:n])
    for (int i = 0; i < n; i++) {
        p->ids[i] += 2;
        p->more[i] = p->ids[i] * 3;
    }
    #pragma omp target map(tofrom: p->weights, p->k) map(to: p->ids[0:n])
    {
        p->weights[2] = p->ids[1];
        p->k += 5;
    }
    #pragma omp target data map(tofrom: p->ids[0:n])
    {
        #pragma omp target
        p->ids[4] *= 10;
    }
    long s = sum(p, n);
    free(w.ids);
    free(w.more);
    return s;
}

static void enter(whole_t *p, int n)
{
    #pragma omp target enter data map(to: p->ids[0:n], p->more[0:n], p->k)
}

static void work(whole_t *p, int n)
{
    #pragma omp target teams distribute parallel for map(p->ids[0:n], p->more[0:n])
    for (int i = 0; i < n; i++)
        p->ids[i] += p->more[i] * p->k;
    #pragma omp target
    p->more[0] = 77;
}

static void leave(whole_t *p, int n)
{
    #pragma omp target exit data map(from: p->ids[0:n], p->more[0:n]) map(release: p->k)
}

static long variables(int n)
{
    whole_t w = make(n);
    #pragma omp target map(tofrom: w.ids[0:n], w.weights)
    {
        w.ids[2] = 30;
        w.weights[3] = 9;
    }
    #pragma omp target map(tofrom: w.ids[0:n]) map(from: w.k)
    {
        w.ids[3] = 8;
        w.k = 4;
    }
    #pragma omp target map(tofrom: w.more[0:n], w.weights[0:4])
    w.weights[1] = w.more[5];
    struct outer o = {n, &w}, *q = &o;
    #pragma omp target map(tofrom: q->inner->ids[0:n]) map(to: q->n)
    for (int i = 0; i < q->n; i++)
        q->inner->ids[i] += 1;
    // An element of what a pointer leads to is what `->` goes to.
    #pragma omp target map(tofrom: q[0].inner[0].ids[0:n]) map(to: q[0].n)
    for (int i = 0; i < q->n; i++)
        q->inner->ids[i] += 2;
    whole_t *r = &w;
    #pragma omp target map(tofrom: r[0].k, r[0].ids, r[0].ids[0:n])
    for (int i = 0; i < n; i++)
        r->ids[i] += ++r->k % 2;
    long s = sum(&w, n);
    free(w.ids);
    free(w.more);
    return s;
}

int main(void)
{
    printf("%ld\n", through_pointers(12));
    whole_t w = make(9);
    enter(&w, 9);
    work(&w, 9);
    work(&w, 9);
    leave(&w, 9);
    printf("%ld\n", sum(&w, 9));
    printf("%ld\n", variables(7));
    return 0;
}
