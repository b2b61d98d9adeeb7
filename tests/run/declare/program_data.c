// Data outside of functions: regions and routine functions use the device's copies.
#include <stdio.h>

double table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma acc declare copyin(table)

static int count, limit = 100;
double scratch[2][16];
#pragma acc declare create(count, scratch) copyin(limit)

struct pair { int a; double b[2]; };
static struct pair pair = {3, {4.5, 1}};
#pragma acc declare copyin(pair)

static float only[8];
#pragma acc declare device_resident(only)

static double *rows;
#pragma acc declare create(rows)

#pragma acc routine seq
static double look(int i) { return table[i] * pair.b[0] + pair.a; }

#pragma acc routine seq
static void note(int i)
{
    if (i < limit)
#pragma acc atomic update
        count += i;
}

#pragma acc routine seq
static float kept(int i) { return only[i]; }

int main(void)
{
    double x[8], store[8] = {1, 1, 2, 3, 5, 8, 13, 21}, sum = 0;
    float y[8];
    count = 0;
#pragma acc update device(count)
#pragma acc parallel loop copyout(x)
    for (int i = 0; i < 8; i++) {
        x[i] = look(i);
        note(i);
        only[i] = i * 0.5f;
        scratch[1][i] = i;
    }
#pragma acc update self(count)
    for (int i = 0; i < 8; i++) printf("%g ", x[i]);
    printf("%d\n", count);
#pragma acc parallel loop copyout(y)
    for (int i = 0; i < 8; i++) y[i] = kept(i) + scratch[1][i];
    for (int i = 0; i < 8; i++) printf("%g ", y[i]);
    printf("\n");
#pragma acc parallel
    count = limit + pair.a;
#pragma acc update self(count)
    printf("%d\n", count);
    limit = 7;
    pair.b[1] = 2;
#pragma acc update device(limit, pair)
#pragma acc serial
    count = limit * pair.b[1];
#pragma acc update self(count)
    printf("%d\n", count);
    rows = store;
#pragma acc enter data copyin(rows[0:8])
#pragma acc parallel loop reduction(+:sum)
    for (int i = 0; i < 8; i++) sum += rows[i];
#pragma acc exit data delete(rows[0:8])
    printf("%g\n", sum);
    return 0;
}
