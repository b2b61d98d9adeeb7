// Arrays whose length only the program knows: by pointer, of variable length, with all operators.
// args: 37
// launches: 10
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *name, int n, const long *a)
{
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %ld", a[i]);
    printf("\n");
}

// Each row of m is added to sums.
static void column_sums(int rows, int n, const float *m, double *sums)
{
#pragma acc parallel loop gang copyin(m[0:rows*n]) copy(sums[0:n]) reduction(+:sums[0:n])
    for (int r = 0; r < rows; r++) {
#pragma acc loop vector
        for (int k = 0; k < n; k++)
            sums[k] += m[r * n + k];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10, half = n / 2;
    long *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop copy(a[0:n]) reduction(+:a[0:n])
    for (int i = 0; i < 5000; i++) {
        a[i * 7 % n] += i % 3;
        a[i % n] -= 1;
    }
    show("+", n, a);
#pragma acc parallel loop copy(a[0:n]) reduction(max:a[half:n-half])
    for (int i = 0; i < 5000; i++) {
        int k = half + i % (n - half);
        if (i * 31L % 4096 > a[k])
            a[k] = i * 31L % 4096;
    }
    show("max", n, a);
#pragma acc parallel loop gang worker vector copy(a[0:n]) reduction(min:a[0:n])
    for (int i = 0; i < 5000; i++)
        a[i % n] = a[i % n] < 2000 - i ? a[i % n] : 2000 - i;
    show("min", n, a);
#pragma acc parallel loop copy(a[0:n]) reduction(^:a[0:n])
    for (int i = 0; i < 5000; i++) {
        long t = a[i % n];
        t ^= i;
        a[i % n] = t;
    }
    show("^", n, a);

    // A variable-length array, also on the construct.
    int v[n];
    for (int i = 0; i < n; i++)
        v[i] = 1;
#pragma acc parallel loop reduction(*:v)
    for (int i = 0; i < 300; i++)
        v[i % n] *= 1 + i % 2;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 % 1000003 + v[i];
    printf("*: %d\n", sum);
#pragma acc parallel reduction(|:v) num_gangs(3)
    {
        v[0] |= 1024;
#pragma acc loop gang vector
        for (int i = 0; i < 300; i++)
            v[i % n] |= i;
    }
    for (int i = 0, s = 0; i < n; i++)
        printf(i + 1 < n ? "" : "|: %d\n", s = s * 31 % 1000003 + v[i]);

    // Truth values.
    _Bool *all = malloc(n), *any = calloc(n, 1);
    for (int i = 0; i < n; i++)
        all[i] = 1;
#pragma acc parallel loop copy(all[0:n], any[0:n]) reduction(&&:all[0:n]) reduction(||:any[0:n])
    for (int i = 0; i < 1000; i++) {
        all[i % n] = all[i % n] && i != 77;
        any[i % n] = any[i % n] || i == 99;
    }
    for (int i = 0; i < n; i++)
        printf("%d%d ", all[i], any[i]);
    printf("\n");

    // Bytes, complex numbers.
    unsigned char *bytes = calloc(n, 1);
    double complex *z = calloc(n, sizeof *z);
#pragma acc parallel loop copy(bytes[0:n], z[0:n]) reduction(+:bytes[0:n], z[0:n])
    for (int i = 0; i < 4000; i++) {
        bytes[i % n] += i;
        z[i % n] += i * I - 1;
    }
    for (int i = 0; i < n; i++)
        printf("%d %g %g ", bytes[i], creal(z[i]), cimag(z[i]));
    printf("\n");

    // A whole number of floats: every order gives the same sum.
    int rows = 50;
    float *m = malloc(rows * n * sizeof *m);
    double *sums = calloc(n, sizeof *sums);
    for (int i = 0; i < rows * n; i++)
        m[i] = i % 100;
    column_sums(rows, n, m, sums);
    for (int i = 0; i < n; i++)
        printf("%g ", sums[i]);
    printf("\n");

    // Another element in every iteration of a sequential loop around a gang loop.
    long *totals = calloc(n, sizeof *totals);
#pragma acc parallel copy(totals[0:n])
    {
#pragma acc loop seq
        for (int t = 0; t < n; t++) {
#pragma acc loop gang vector reduction(+:totals[t])
            for (int i = 0; i < 100; i++)
                totals[t] += i * t;
        }
    }
    show("totals", n, totals);
    free(a), free(all), free(any), free(bytes), free(z), free(m), free(sums), free(totals);
    return 0;
}
