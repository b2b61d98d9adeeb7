// Routines with loops over gang dimensions, called by all gangs and in loops over higher dimensions; each element is touched once.
#include <stdio.h>

#define A 5
#define B 7
#define C 11
static int cube[A][B][C];
static double plane[B][C], other[B][C];

#pragma acc routine gang(dim:2)
static void table(int n, int m, double *x, double add)
{
#pragma acc loop gang(dim:2)
    for (int j = 0; j < n; j++)
#pragma acc loop gang(dim:1) vector
        for (int k = 0; k < m; k++)
            x[j * m + k] += add + j * k;
}

// By the call in a loop over dimension 2 its loop is over dimension 1.
#pragma acc routine gang
static void row(int m, int *x, int add)
{
#pragma acc loop gang vector
    for (int k = 0; k < m; k++)
        x[k] += add + k;
}

// Without a directive: dimension 3, by its loop.
static void all(int (*x)[B][C])
{
#pragma acc loop gang(dim:3)
    for (int i = 0; i < A; i++)
#pragma acc loop gang(dim:2)
        for (int j = 0; j < B; j++)
            row(C, x[i][j], i - j);
}

static void slice(int (*x)[C], int i);
#pragma acc routine(slice) gang(dim:2)

#pragma acc routine gang(dim:3) device_type(nvidia) gang(dim:3)
static void through(int (*x)[B][C])
{
#pragma acc loop gang(dim:3)
    for (int i = 0; i < A; i++)
        slice(x[i], i);
}

static void slice(int (*x)[C], int i)
{
#pragma acc loop gang(dim:2)
    for (int j = 0; j < B; j++) {
        int most = 0;
#pragma acc loop vector reduction(max : most)
        for (int k = 0; k < C; k++)
            most = k * j > most ? k * j : most;
#pragma acc loop gang(dim:1) worker vector
        for (int k = 0; k < C; k++)
            x[j][k] += most + i;
    }
}

static long sum(void)
{
    long s = 0;
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                s = (s * 31 + cube[i][j][k]) % 1000003;
    for (int j = 0; j < B; j++)
        for (int k = 0; k < C; k++)
            s = (s * 31 + (long)(plane[j][k] + 2 * other[j][k])) % 1000003;
    return s;
}

int main(void)
{
    int n = 3;
#pragma acc parallel num_gangs(4, 3) copy(plane)
    table(B, C, &plane[0][0], 2);
    printf("%ld\n", sum());
#pragma acc parallel num_gangs(n, 2 * n) copy(plane, other)
    {
#pragma acc loop gang(dim:2)
        for (int j = 0; j < B; j++)
#pragma acc loop gang
            for (int k = 0; k < C; k++)
                plane[j][k] += j - k;
        table(B, C, &other[0][0], 1);
    }
    printf("%ld\n", sum());
#pragma acc parallel num_gangs(3, 2, 2) copy(cube)
    {
#pragma acc loop gang(dim:3)
        for (int i = 0; i < A; i++)
#pragma acc loop gang(dim:2)
            for (int j = 0; j < B; j++)
                row(C, cube[i][j], i * j);
    }
    printf("%ld\n", sum());
#pragma acc parallel num_gangs(2, 2, 3) copy(cube)
    all(cube);
    printf("%ld\n", sum());
#pragma acc parallel num_gangs(2, 3, 2) num_workers(2) copy(cube)
    through(cube);
    printf("%ld\n", sum());
#pragma acc parallel loop gang(dim:3) num_gangs(2, 3, 2) copy(cube)
    for (int i = 0; i < A; i++)
        slice(cube[i], i);
    printf("%ld\n", sum());
    // One number of gangs, and none.
#pragma acc parallel num_gangs(5) copy(cube)
    through(cube);
#pragma acc parallel copy(cube, plane)
    {
        through(cube);
        table(B, C, &plane[0][0], 3);
    }
    printf("%ld\n", sum());
    return 0;
}
