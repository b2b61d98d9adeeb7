// Data that another file defines, and perhaps declares, or that this one declares for it.
// with: across_files.part.c
#include <stdio.h>

extern double table[8];
extern int plain;
extern double open_ended[];
extern int both;
#pragma acc declare copyin(table, plain)
#pragma acc declare copyin(both) link(open_ended)

void scale(int by);

#pragma acc routine seq
static double use(int i) { return table[i] + plain + open_ended[i % 4]; }

int main(void)
{
    double x[8], y;
    for (int round = 1; round < 3; round++) {
#pragma acc parallel loop copyout(x)
        for (int i = 0; i < 8; i++) x[i] = use(i) + both;
        for (int i = 0; i < 8; i++) printf("%g ", x[i]);
        scale(round);
    }
#pragma acc parallel copyout(y)
    y = open_ended[2];
    printf("%g\n", y);
    return 0;
}
