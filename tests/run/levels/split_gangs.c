// Few iterations over gangs with long loops over lanes inside have several gangs each, where nothing but computing is beside these loops;
// where something else is, or memory overlaps, they have one.
#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 3, N = 5000 };

// With a factor in front of the loop.
static void scaled(int kinds, int n, double *restrict a, const double *restrict mass, const double *restrict x)
{
#pragma acc parallel loop gang copy(a[0 : kinds * n]) copyin(mass[0 : kinds], x[0 : n])
    for (int k = 0; k < kinds; k++) {
        double m = mass[k] * 2;
#pragma acc loop vector
        for (int i = 0; i < n; i++)
            a[k * n + i] += m * x[i];
    }
}

// Segments whose bounds are in memory, with lanes of workers too; rows by pointers; two loops of different arrays.
static void segments(size_t count, const int *first, const float *in, float *out, unsigned char *mark)
{
#pragma acc parallel present(first[0 : count + 1], in, out, mark)
#pragma acc loop gang
    for (size_t s = 0; s < count; ++s) {
        const float *from = in + first[s];
        float *to = out + first[s];
        int length = first[s + 1] - first[s];
        float factor = 0;
        for (int k = 0; k < 3; k++)
            factor += k * 0.5f;
#pragma acc loop worker vector
        for (int i = 0; i < length; ++i)
            to[i] = from[i] * factor;
        if (length > 10) {
#pragma acc loop vector
            for (int i = first[s]; i < first[s + 1]; i++)
                mark[i] = s + 1;
        }
    }
}

// What the loop over lanes writes is read in front of it: one gang has all of a row.
static void relative(int kinds, int n, long *a)
{
#pragma acc parallel loop gang present(a[0 : kinds * n])
    for (int k = 0; k < kinds; k++) {
        long start = a[k * n + n / 2];
#pragma acc loop vector
        for (int i = 0; i < n; i++)
            a[k * n + i] -= start;
    }
}

// The same by another pointer, which may lead there or elsewhere.
static void less(int kinds, int n, long *a, const long *b)
{
#pragma acc parallel loop gang present(a[0 : kinds * n], b[0 : kinds * n])
    for (int k = 0; k < kinds; k++) {
        long other = b[k * n + 7];
#pragma acc loop vector
        for (int i = 0; i < n; i++)
            a[k * n + i] -= other;
    }
}

// The second loop over lanes reads what the first has written.
static void twice(int kinds, int n, int *restrict a, int *restrict b)
{
#pragma acc parallel loop gang copy(a[0 : kinds * n]) copyout(b[0 : kinds * n])
    for (int k = 0; k < kinds; k++) {
#pragma acc loop vector
        for (int i = 0; i < n; i++)
            a[k * n + i] *= 3;
#pragma acc loop vector
        for (int i = 0; i < n; i++)
            b[k * n + i] = a[k * n + n - 1 - i] + k;
    }
}

// Atomic updates of one counter for each kind; a table of each gang's own in front.
static void counted(int kinds, int n, const int *x, int *counts)
{
#pragma acc parallel loop gang vector_length(64) copyin(x[0 : n]) copy(counts[0 : kinds])
    for (int k = 0; k < kinds; k++) {
        int limits[4];
        for (int q = 0; q < 4; q++)
            limits[q] = 100 * k + 10 * q;
#pragma acc loop vector
        for (int i = 0; i < n; i++)
            if (x[i] > limits[i % 4]) {
#pragma acc atomic
                counts[k]++;
            }
    }
}

int main(void)
{
    int wrong = 0, counts[KINDS] = {0}, first[KINDS + 1] = {0, 7, 2500, N};
    double *a = malloc(sizeof(double) * KINDS * N), mass[KINDS] = {1, 2.5, 4}, *x = malloc(sizeof(double) * N);
    for (int k = 0; k < KINDS * N; k++)
        a[k] = k;
    for (int k = 0; k < N; k++)
        x[k] = k % 13;
    scaled(KINDS, N, a, mass, x);
    for (int k = 0; k < KINDS * N; k++)
        wrong += a[k] != k + 2 * mass[k / N] * (k % N % 13);
    printf("%d\n", wrong);

    float *in = malloc(sizeof(float) * N), *out = malloc(sizeof(float) * N);
    unsigned char *mark = calloc(N, 1);
    for (int k = 0; k < N; k++)
        in[k] = k % 100;
#pragma acc data copyin(first, in[0 : N]) copyout(out[0 : N]) copy(mark[0 : N])
    segments(KINDS, first, in, out, mark);
    wrong = 0;
    for (int k = 0; k < N; k++)
        wrong += out[k] != in[k] * 1.5f || mark[k] != (k < 7 ? 0 : k < 2500 ? 2 : 3);
    printf("%d\n", wrong);

    long *rows = malloc(sizeof(long) * KINDS * N), *others = malloc(sizeof(long) * KINDS * N);
    for (int k = 0; k < KINDS * N; k++) {
        rows[k] = 3 * k;
        others[k] = 5 * k;
    }
#pragma acc data copy(rows[0 : KINDS * N]) copyin(others[0 : KINDS * N])
    {
        relative(KINDS, N, rows);
        less(KINDS, N, rows, others);
        less(KINDS, N, rows, rows);
    }
    wrong = 0;
    for (int k = 0; k < KINDS * N; k++)
        wrong += rows[k] != 3L * (k - k / N * N - 7);
    printf("%d\n", wrong);

    int *p = malloc(sizeof(int) * KINDS * N), *q = malloc(sizeof(int) * KINDS * N);
    for (int k = 0; k < KINDS * N; k++)
        p[k] = k % 1000;
    twice(KINDS, N, p, q);
    for (int k = 0; k < KINDS * N; k++)
        wrong += q[k] != 3 * ((k / N * N + N - 1 - k % N) % 1000) + k / N;
    printf("%d\n", wrong);

    counted(KINDS, N, p, counts);
    for (int k = 0; k < KINDS; k++)
        printf("%d ", counts[k]);
    printf("\n");
    return 0;
}
