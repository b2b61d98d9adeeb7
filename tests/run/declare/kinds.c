// Pointers to device memory, members that are attached later, constants, arrays of several dimensions; a variable of another program.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
#define acc_malloc malloc
#define acc_free free
#endif

/* Nobody defines it, and nothing here uses it. */
extern int nowhere[10];
#pragma acc declare create(nowhere)

static double *there;
#pragma acc declare deviceptr(there)

static const double weights[2][3] = {{1, 2, 3}, {4, 5, 6}};
static struct { int n; double *values; struct { float f[2]; } inner; } state = {3, 0, {{0.5f, 0.25f}}};
static unsigned char small = 200;
static double _Complex turn = 2.0;
static union { int i; float f; } either = {7};
enum colour { RED, GREEN = 5 };
static enum colour colour = GREEN;
#pragma acc declare copyin(weights, state, small, turn, either) copyin(colour)

#pragma acc routine seq
static double at(int i) { return there[i] + state.inner.f[i % 2]; }

#pragma acc routine seq
static double member(int i) { return i < state.n ? state.values[i] : -1; }

static void matrix(int n, int m, double a[n][m])
{
#pragma acc declare copy(a)
#pragma acc parallel loop collapse(2) firstprivate(n, m) default(none)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] += weights[i % 2][j % 3] * i + j;
}

static double by_pointer(const double *p)
{
#pragma acc declare present(p)
    double s = 0;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < 3; i++) s += p[i];
    return s;
}

int main(void)
{
    double x[4], a[3][4] = {{0}}, values[3] = {1.5, 2.5, 3.5};
    int sum = 0;
    there = acc_malloc(4 * sizeof *there);
#pragma acc parallel loop
    for (int i = 0; i < 4; i++) there[i] = i * 10;
#pragma acc parallel loop copyout(x)
    for (int i = 0; i < 4; i++) x[i] = at(i);
    printf("%g %g %g %g\n", x[0], x[1], x[2], x[3]);
    acc_free(there);
    state.values = values;
#pragma acc enter data copyin(state.values[0:3])
#pragma acc parallel loop copyout(x)
    for (int i = 0; i < 4; i++) x[i] = member(i);
    printf("%g %g %g %g\n", x[0], x[1], x[2], x[3]);
    printf("%g\n", by_pointer(state.values));
#pragma acc exit data delete(state.values[0:3])
#pragma acc parallel loop copyout(x) default(none)
    for (int i = 0; i < 4; i++) x[i] = small + __real__ turn + either.i + colour;
    printf("%g\n", x[3]);
    matrix(3, 4, a);
    for (int i = 0; i < 3; i++) printf("%g %g %g %g\n", a[i][0], a[i][1], a[i][2], a[i][3]);
#pragma acc serial copy(sum) present(small)
    sum += small;
    small = 3;
#pragma acc update device(small)
#pragma acc kernels copy(sum)
    sum += small;
    printf("%d\n", sum);
    return 0;
}
