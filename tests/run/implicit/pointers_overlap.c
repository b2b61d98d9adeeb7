// Two pointers without clauses lead to overlapping parts of one object: what both access is on the device.
#include <stdio.h>
#include <stdlib.h>

static void in_order(double *o, double *i, int n)
{
#pragma acc kernels
    for (int k = 1; k < n - 1; k++)
        o[k] = (i[k - 1] + i[k] + i[k + 1]) / 3;
}

static void apart(int *o, int *i, int n)
{
#pragma acc parallel loop
    for (int k = 0; k < n; k++)
        o[k] += i[k + n / 2];
}

static void explicit_one(int *o, int *i, int n)
{
#pragma acc parallel loop copy(o[2:n - 4])
    for (int k = 2; k < n - 2; k++)
        o[k] = o[k] + (k > 2 ? 0 : i[0] + i[n - 1]);
}

int main(void)
{
    enum { N = 40 };
    double *u = malloc(N * sizeof *u), *v = malloc(N * sizeof *v);
    int *p = malloc(2 * N * sizeof *p), wrong = 0;
    for (int k = 0; k < N; k++)
        u[k] = v[k] = k * k % 37;

    // The recurrence runs in order, whoever runs it.
    in_order(u, u, N);
    for (int k = 1; k < N - 1; k++)
        v[k] = (v[k - 1] + v[k] + v[k + 1]) / 3;
    for (int k = 0; k < N; k++)
        wrong += u[k] != v[k];
    in_order(u + 1, u, N - 1);
    for (int k = 1; k < N - 2; k++)
        v[k + 1] = (v[k - 1] + v[k] + v[k + 1]) / 3;
    for (int k = 0; k < N; k++)
        wrong += u[k] != v[k];

    for (int k = 0; k < 2 * N; k++)
        p[k] = k;
    apart(p, p + N / 2, N);
    for (int k = 0; k < 2 * N; k++)
        wrong += p[k] != (k < N ? k + k + N : k);
    explicit_one(p, p, 2 * N);
    wrong += p[2] != 2 + 2 + N + N + 2 * N - 1;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
