// Structs of pointers, passed by value or local, whose sections clauses name, in several spellings; sections of a struct's members that
// are there already, and members that are no pointers. The structs have no copy on the device.
#include <stdio.h>
#include <stdlib.h>

enum { N = 500 };
struct fields { double *rho, *mx; int n; double scale; };
struct grid { struct fields now, next; int steps; };

#define ALL(f) f.rho[0:f.n], f.mx[0:f.n]

static double at(struct fields f, int k) { return f.rho[k] * f.scale; }

static void by_value(struct fields u, struct fields v)
{
#pragma acc parallel loop present(ALL(u), ALL(v))
    for (int i = 0; i < u.n; i++)
        v.rho[i] += at(u, i) + u.mx[i];
}

static void copied(struct fields u, int n)
{
#pragma acc parallel loop copy(u.rho[0:n]) copyin(u.mx[0:n])
    for (int i = 0; i < n; i++)
        u.rho[i] += u.mx[n - 1 - i];
}

static void in_data(struct fields u)
{
#pragma acc data copy(u.rho[0:u.n]) create(u.mx[0:u.n])
    {
#pragma acc parallel loop
        for (int i = 0; i < u.n; i++)
            u.mx[i] = u.rho[i] * 2;
#pragma acc kernels loop independent
        for (int i = 0; i < u.n; i++)
            u.rho[i] = u.mx[u.n - 1 - i] + u.scale;
    }
}

static void nested(struct grid g)
{
    for (int t = 0; t < g.steps; t++) {
#pragma acc parallel loop gang vector copyin(g.now.rho[0:g.now.n]) copy(g.next.rho[0:g.next.n])
        for (int i = 0; i < g.now.n; i++)
            g.next.rho[i] += g.now.rho[i] / (t + 1);
        double *swap = g.now.rho;
        g.now.rho = g.next.rho;
        g.next.rho = swap;
    }
}

static double sum(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * (i % 13);
    return sum;
}

int main(void)
{
    struct fields u = {malloc(N * 8), malloc(N * 8), N, 0.5}, v = {malloc(N * 8), malloc(N * 8), N, 2};
    for (int i = 0; i < N; i++)
        u.rho[i] = i % 7, u.mx[i] = i % 11, v.rho[i] = 1, v.mx[i] = i;
#pragma acc enter data copyin(u.rho[0:N], u.mx[0:N], v.rho[0:N], v.mx[0:N])
    by_value(u, v);
    by_value(v, u);
#pragma acc exit data copyout(u.rho[0:N], u.mx[0:N], v.rho[0:N], v.mx[0:N])
    printf("%g %g\n", sum(u.rho), sum(v.rho));
    copied(u, N);
    in_data(v);
    printf("%g %g\n", sum(u.rho), sum(v.rho));
    nested((struct grid){u, v, 3});
    printf("%g %g\n", sum(u.rho), sum(v.rho));
    return 0;
}
