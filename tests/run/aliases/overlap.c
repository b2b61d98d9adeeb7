// Pointers into one array, and into several: what a kernel reads may be what it writes, or not.
//
// launches: 9
#include <stdio.h>
#include <stdlib.h>

#define N 300

// Each element comes from the one before it, if `from` and `to` overlap so.
static void shift(int n, const float *from, float *to, float by)
{
#pragma acc parallel loop seq copyin(from[0:n]) copy(to[0:n])
    for (int i = 0; i < n; i++)
        to[i] = from[i] * 0.5f + by;
}

// Rows are independent; within a row, every column is written before the next one is read.
static void sweep(int rows, int n, const double *coefficient, double *x)
{
#pragma acc parallel loop gang vector present(coefficient[0:n], x[0:rows * n])
    for (int r = 0; r < rows; r++) {
#pragma acc loop seq
        for (int i = 1; i < n; i++)
            x[i * rows + r] = x[(i - 1) * rows + r] * coefficient[i] + coefficient[i - 1];
    }
}

static void print(const char *what, const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * (i % 7 + 1);
    printf("%s %.10g\n", what, sum);
}

int main(void)
{
    static float f[2 * N + 1];
    for (int i = 0; i <= 2 * N; i++)
        f[i] = i % 13;

    // Nothing is mapped: two arrays, then parts of one array.
    shift(N, f, f + N, 1);
    printf("%g %g\n", f[N], f[2 * N - 1]);
#pragma acc data copy(f)
    {
        shift(N, f, f + N, 2);
        shift(N, f, f + 1, 3);
        shift(N, f + 1, f, 4);
        shift(N, f + 7, f + 7, 5);
    }
    for (int i = 0; i <= 2 * N; i += 50)
        printf("%g ", f[i]);
    printf("\n");

    enum { ROWS = 40, COLUMNS = 20 };
    double *x = malloc((ROWS * COLUMNS + COLUMNS) * sizeof *x);
    double *c = malloc(COLUMNS * sizeof *c);
    for (int i = 0; i < ROWS * COLUMNS + COLUMNS; i++)
        x[i] = 1.0 / (i + 1);
    for (int i = 0; i < COLUMNS; i++)
        c[i] = 1 + i * 0.01;
#pragma acc data copy(x[0 : ROWS * COLUMNS + COLUMNS]) copyin(c[0:COLUMNS])
    {
        sweep(ROWS, COLUMNS, c, x);
        sweep(ROWS, COLUMNS, x + ROWS * COLUMNS, x);
        // One row, which is its own coefficients.
        sweep(1, COLUMNS, x, x);
        sweep(1, COLUMNS, x + 1, x);
    }
    print("x", x, ROWS * COLUMNS + COLUMNS);
    free(c);
    free(x);
    return 0;
}
