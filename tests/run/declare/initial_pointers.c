// Pointers in the initial values of what `declare copyin` names lead to the device's copies, of strings too; updates leave them alone.
// expect-output: initial_pointers.expect
#include <stdio.h>

static double x[3] = {1, 2, 3}, y[3] = {4, 5, 6};
static struct vector { const char *name; double *at; int n; } both[] = {{"x", x, 3}, {"longer x", &y[1], 2}};
#pragma acc declare copyin(x, y, both)

static double sum(int which)
{
    double s = 0;
#pragma acc parallel loop reduction(+: s)
    for (int i = 0; i < both[which].n; i++) s += both[which].at[i] * both[which].name[0];
    return s;
}

int main(void)
{
    double before = sum(0) + sum(1);
    x[0] = 10;
    both[1].n = 1;
#pragma acc update device(x, both)
#pragma acc parallel loop
    for (int i = 0; i < 3; i++) y[i] += both[0].at[i];
#pragma acc update self(y, both)
    int ok = both[0].at == x && both[1].at == y + 1 && both[1].name[0] == 'l';
    printf("%g %g %g %d\n", before, sum(0), sum(1), ok && y[0] == 14);
    return 0;
}
