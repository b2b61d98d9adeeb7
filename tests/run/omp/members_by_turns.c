// Structs whose members and sections enter and leave by different directives than the structs: values come back, and nothing stays on the device.
// cflags: -fopenmp
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n, *p, m; } S;
static int failed, device;

static void check(const char *what, const S *s)
{
    int left = device && omp_target_is_present(&s->n, 0);
    if (s->p[4] != 7 || s->n != 3 || left) printf("%s: %d %d, left %d\n", what, s->p[4], s->n, left), failed = 1;
}

static void set(S *s)
{
    s->n = 5;
    s->p = calloc(5, sizeof *s->p);
}

int main(void)
{
    device = omp_get_num_devices() > 0;
    S s, *q = &s;
    set(&s);
#pragma omp target enter data map(to: s.n, s.p, s.p[:5])
#pragma omp target
    s.p[4] = 7, s.n = 3;
#pragma omp target exit data map(from: s.n, s.p, s.p[:5])
    check("members", &s);

    set(&s);
#pragma omp target enter data map(to: q[:1])
#pragma omp target enter data map(to: q->p[:5])
#pragma omp target
    q->p[4] = 7, q->n = 3;
#pragma omp target exit data map(from: q->p[:5]) map(from: q[:1])
    check("together", &s);

    set(&s);
#pragma omp target enter data map(to: q[:1]) map(to: q->p[:5])
#pragma omp target
    q->p[4] = 7, q->n = 3;
#pragma omp target exit data map(from: q->p[:5])
#pragma omp target exit data map(from: q[:1])
    check("apart", &s);

    set(&s);
#pragma omp target enter data map(to: q->p[:5])
#pragma omp target enter data map(to: q->n)
#pragma omp target
    q->p[4] = 7, q->n = 3;
#pragma omp target exit data map(from: q->n)
#pragma omp target exit data map(from: q->p[:5])
    s.n = 3;
    check("by the section", &s);

    set(&s);
#pragma omp target enter data map(to: s)
#pragma omp target enter data map(to: s.p[:5])
#pragma omp target
    s.p[4] = 7, s.n = 3;
#pragma omp target exit data map(from: s)
#pragma omp target exit data map(from: s.p[:5])
    check("the struct first", &s);
    return failed;
}
