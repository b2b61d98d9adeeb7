// Global and file-static scalars and arrays, used in regions of several functions.
// launches: 2
#include <stdio.h>

int table[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
static double factor = 0.5;
static int hidden[10];
extern long later[10];

static void fill(void)
{
#pragma acc parallel loop copyin(table) copyout(hidden)
    for (int i = 0; i < 10; i++)
        hidden[i] = table[i] * table[9 - i];
}

static void use(double *out)
{
#pragma acc parallel loop copyin(hidden, later) copyout(out[0:10])
    for (int i = 0; i < 10; i++)
        out[i] = hidden[i] * factor + later[i];
}

long later[10] = {[5] = 100};

int main(void)
{
    double out[10];
    fill();
    factor *= 4;
    use(out);
    for (int i = 0; i < 10; i++)
        printf("%g\n", out[i]);
    return 0;
}
