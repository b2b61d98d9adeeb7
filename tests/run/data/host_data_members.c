// Members in `use_device`: each use of the same member of the same variable is the device's address.
// launches: 6
#include <stdio.h>
#include <stdlib.h>

#define N 40

typedef struct {
    int n;
    double *x;
    struct {
        float *w;
        int fixed[N];
    } in;
} vec;

#define X(v) ((v)->x)

static void add(int n, double by, const double *from, double *to)
{
#pragma acc parallel loop deviceptr(from, to)
    for (int i = 0; i < n; i++) to[i] += by * from[i];
}

static void fill(int n, int *p)
{
#pragma acc parallel loop deviceptr(p)
    for (int i = 0; i < n; i++) p[i] = 3 * i;
}

static int differs(const void *p, const void *q) { return p != q; }

int main(void)
{
    vec a = {.n = N}, b = {.n = N}, *pa = &a;
    a.x = malloc(N * sizeof *a.x);
    b.x = malloc(N * sizeof *b.x);
    a.in.w = malloc(N * sizeof *a.in.w);
    for (int i = 0; i < N; i++) {
        a.x[i] = i;
        b.x[i] = 1;
        a.in.w[i] = i;
        a.in.fixed[i] = 0;
    }
    double *kept = a.x;
#pragma acc data copy(a.x[0:N], b.x[0:N], a.in.w[0:N], a.in.fixed)
    {
#pragma acc host_data use_device(a.x, b.x)
        add(a.n, 2, a.x, b.x);
#pragma acc host_data use_device(pa->x)
        {
            add(pa->n, 3, X(pa), pa->x);
            if (differs(a.x, kept)) printf("another spelling is the host's\n");
            a.n = N / 2;
        }
#pragma acc host_data use_device(b.x) use_device(a.in.w, a.in.fixed)
        {
            double *to = b.x;
            fill(a.n, a.in.fixed);
#pragma acc host_data use_device(a.x)
            for (int i = 0; i < 2; i++) add(a.n, i + 1, a.x, to);
#pragma acc parallel loop deviceptr(to)
            for (int i = 0; i < N; i++) to[i] += 1;
        }
#pragma acc host_data use_device(a.x) if_present if (a.n == 0)
        if (differs(a.x, kept)) printf("the condition is false\n");
    }
    double sum = 0;
    for (int i = 0; i < N; i++) sum += (i + 1) * (a.x[i] + b.x[i] + a.in.fixed[i]);
    printf("%g %d\n", sum, a.n);
    return 0;
}
