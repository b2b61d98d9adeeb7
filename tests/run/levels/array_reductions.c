// Arrays reduced at every level, by the first worker alone, and in routines; with several types.
// launches: 4
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>

#pragma acc routine worker
static long spread(int n, const int *x)
{
    long part[3] = { 1, 2, 3 };
#pragma acc loop worker vector reduction(+ : part)
    for (int i = 0; i < n; i++)
        part[i % 3] += x[i];
    return part[0] + 2 * part[1] + 3 * part[2];
}

int main(void)
{
    enum { N = 240 };
    int x[N], most[2][4] = { { 0 } };
    long sums[30];
    float products[4] = { 1, 1, 1, 1 };
    bool flags[5] = { true, true, true, true, true };
    double complex z[3] = { 1, 2, I };
    short bits[6] = { -1, -1, -1, -1, -1, -1 };
    for (int i = 0; i < N; i++)
        x[i] = i * 53 % 97;
#pragma acc parallel num_gangs(1) num_workers(3) vector_length(64) copyin(x) copy(most, z)
    {
        int counts[4] = { 5 };
#pragma acc loop worker
        for (int w = 0; w < 3; w++)
            z[w] += 1;
#pragma acc loop vector reduction(+ : counts)
        for (int i = 0; i < N; i++)
            counts[x[i] % 4]++;
#pragma acc loop worker reduction(max : most)
        for (int i = 0; i < N; i++)
            if (x[i] > most[i % 2][i % 4])
                most[i % 2][i % 4] = x[i];
        z[0] += counts[0] + counts[3] * I;
    }
#pragma acc parallel loop gang num_workers(4) copyin(x) copyout(sums)
    for (int i = 0; i < 30; i++)
        sums[i] = spread(i * 8, x) + spread(3, x + i);
#pragma acc parallel loop gang worker vector num_gangs(6) num_workers(2) copyin(x) copy(products, flags, bits) \
    reduction(* : products) reduction(&& : flags) reduction(& : bits)
    for (int i = 0; i < N; i++) {
        products[i % 4] *= i % 60 ? 1 : 2;
        flags[i % 5] = flags[i % 5] && x[i] != 17;
        bits[i % 6] &= ~(1 << (x[i] % 9));
    }
#pragma acc parallel loop gang vector vector_length(256) copy(z) reduction(+ : z)
    for (int i = 0; i < N; i++)
        z[i % 3] += i + 2 * i * I;
    for (int i = 0; i < 8; i++)
        printf("%d ", most[i / 4][i % 4]);
    for (int i = 0; i < 30; i++)
        printf("%ld ", sums[i]);
    for (int i = 0; i < 6; i++)
        printf("%g %d %d ", products[i % 4], flags[i % 5], bits[i]);
    for (int i = 0; i < 3; i++)
        printf("%g %g ", creal(z[i]), cimag(z[i]));
    printf("\n");
    return 0;
}
