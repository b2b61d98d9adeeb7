// Array parameters and pointers in data clauses of regions, without a section: what the region accesses.
#include <stdio.h>

static void scale(int n, double a[], double *b) {
#pragma acc kernels loop copyin(a) copyout(b)
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2;
}

static void shift(int n, const double *a, double *b) {
#pragma acc parallel loop copyin(a), copy(b) firstprivate(n)
    for (int i = 2; i < n; i++)
        b[i] += a[i - 2];
}

/* The pointers are mapped already, as other data is. */
static void present(int n, double *a, double *b) {
#pragma acc data copyin(a[0:n]) copy(b[0:n])
#pragma acc parallel loop copyin(a) copy(b)
    for (int i = 0; i < n; i++)
        b[i] += a[i];
}

int main(void) {
    enum { N = 100 };
    double a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = i, b[i] = -1;
    scale(N - 1, a, b);
    shift(N, a, b);
    present(N, a, b);
    double s = 0;
    for (int i = 0; i < N; i++)
        s += b[i] * (i % 5);
    printf("%g %g %g %g\n", s, b[0], b[2], b[N - 1]);
    return 0;
}
