// Loops over gang dimensions inside each other, with sizes that do not divide; num_gangs by constants, by expressions, absent.
// launches: 10
#include <stdio.h>

#define A 5
#define B 7
#define C 11
static int cube[A][B][C];
static double plane[B][C], mirror[B][C];
static long rows[B];

static long sum(void)
{
    long all = 0;
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++)
                all = all * 31 % 1000003 + cube[i][j][k];
    for (int j = 0; j < B; j++)
        for (int k = 0; k < C; k++)
            all = all * 31 % 1000003 + (long)plane[j][k] + 2 * (long)mirror[j][k];
    for (int j = 0; j < B; j++)
        all = all * 31 % 1000003 + rows[j];
    return all;
}

static int weight(int i, int j)
{
    return i + 10 * j;
}

#pragma acc routine vector
static void scale(int n, double *x)
{
#pragma acc loop vector
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}

#pragma acc routine gang
static void shift(int n, long *x)
{
#pragma acc loop gang vector
    for (int i = 0; i < n; i++)
        x[i] += i;
}

int main(void)
{
    int n = 3;
    // All three, fewer gangs than iterations and more.
#pragma acc parallel num_gangs(4, 3, 2) copy(cube)
    {
#pragma acc loop gang(dim:3)
        for (int i = 0; i < A; i++)
#pragma acc loop gang(dim:2)
            for (int j = 0; j < B; j++)
#pragma acc loop gang(dim:1)
                for (int k = 0; k < C; k++)
                    cube[i][j][k] += weight(i, j) + k;
    }
    printf("%ld\n", sum());
#pragma acc parallel loop gang(dim:3) num_gangs(20, 9, 6) copy(cube)
    for (int i = 0; i < A; i++)
#pragma acc loop gang(dim:2)
        for (int j = B - 1; j >= 0; j -= 2)
#pragma acc loop gang vector
            for (int k = 0; k < C; k++)
                cube[i][j][k] += 3 * i + j * k;
    printf("%ld\n", sum());
    // Dimension 2 is left out, and what num_gangs says is known at the launch only.
#pragma acc parallel num_gangs(n, n / 3, n + 1) copy(cube)
    {
#pragma acc loop gang(dim:3)
        for (int i = 0; i < A; i++)
#pragma acc loop gang worker vector collapse(2)
            for (int j = 0; j < B; j++)
                for (int k = 0; k < C; k++)
                    cube[i][j][k] = cube[i][j][k] % 50 + weight(j, k);
    }
    printf("%ld\n", sum());
    // One number of gangs, and none; loops without levels.
#pragma acc parallel num_gangs(n) copy(plane)
    {
#pragma acc loop gang(dim:2)
        for (int j = 0; j < B; j++)
#pragma acc loop gang
            for (int k = 0; k < C; k++)
                plane[j][k] += j - k;
    }
    printf("%ld\n", sum());
#pragma acc parallel copy(plane)
    {
#pragma acc loop gang(dim:2)
        for (int j = 0; j < B; j++)
#pragma acc loop
            for (int k = 0; k < C; k++)
                plane[j][k] += j + k;
    }
    printf("%ld\n", sum());
#pragma acc parallel loop gang(dim:2) copy(rows) copyin(plane)
    for (int j = 0; j < B; j++) {
        double part = 1;
#pragma acc loop vector reduction(+ : part)
        for (int k = 0; k < C; k++)
            part += plane[j][k];
        rows[j] += (long)part;
    }
    printf("%ld\n", sum());
    // Something reduced in a variable of all gangs, a loop over all gangs beside the others, and routines.
    long total = 5;
#pragma acc parallel num_gangs(2, 3) copyin(plane) copy(total)
    {
#pragma acc loop gang(dim:2)
        for (int j = 0; j < B; j++)
#pragma acc loop gang reduction(+ : total)
            for (int k = 0; k < C; k++)
                total += (long)plane[j][k];
    }
    printf("%ld %ld\n", sum(), total);
#pragma acc parallel num_gangs(2, 3) copyin(plane) copy(rows)
    {
#pragma acc loop gang(dim:2)
        for (int j = 0; j < B; j++) {
            long part = j;
#pragma acc loop gang reduction(max : part)
            for (int k = 0; k < C; k++)
                part = part > (long)plane[j][k] ? part : (long)plane[j][k];
            rows[j] += part;
        }
    }
    printf("%ld\n", sum());
#pragma acc parallel num_gangs(1, 3, 2) copyin(plane) copyout(mirror) copy(rows)
    {
#pragma acc loop gang(dim:3)
        for (int j = 0; j < B; j++) {
            double own[C];
#pragma acc loop vector
            for (int k = 0; k < C; k++)
                own[k] = plane[j][k];
            scale(C, own);
#pragma acc loop gang(dim:2)
            for (int k = 0; k < C; k++)
                mirror[j][k] = own[C - 1 - k];
        }
#pragma acc loop
        for (int j = 0; j < B; j++)
            rows[j] += 7 * j;
    }
    printf("%ld\n", sum());
#pragma acc parallel num_gangs(2, 2) copy(cube, rows)
    {
#pragma acc loop gang(dim:2)
        for (int i = 0; i < A; i++)
#pragma acc loop gang
            for (int k = 0; k < C; k++)
                cube[i][0][k] ^= k;
        shift(B, rows);
    }
    printf("%ld\n", sum());
    return 0;
}
