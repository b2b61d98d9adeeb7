// Loops in `kernels` that only pointers keep from being independent: memory that is apart, the same, overlapping, in one mapping; read
// and written, written twice; from acc_malloc; inner loops; three spellings of rows.
// launches: 12
#include <math.h>
#include <stdio.h>
#ifdef _OPENACC
#include <openacc.h>
#else
#include <stdlib.h>
#include <string.h>
#define acc_malloc malloc
#define acc_free free
#define acc_memcpy_to_device memcpy
#define acc_memcpy_from_device memcpy
#endif

enum { N = 300, ROWS = 18, COLUMNS = 16 };
static double all[2 * N], other[2 * N];

static void halve(int n, double *to, double *from)
{
#pragma acc kernels present(to[0:n], from[0:n])
    for (int i = 0; i < n; i++)
        to[i] = 0.5 * from[i] + 1;
}

static void both(size_t n, float *one, double *two)
{
#pragma acc kernels copy(one[0:n]) present(two[0:n])
    for (size_t i = 0; i < n; ++i) {
        two[i] = one[i] + 1;
        one[i] = (float)i;
    }
}

static void written(unsigned n, double *one, double *two)
{
#pragma acc kernels present(one[0:n], two[0:n])
    for (unsigned i = 0; i < n; i++) {
        one[i] = i;
        two[i] = i + 0.5;
    }
}

static void on_device(int n, double *to, double *from)
{
#pragma acc kernels deviceptr(to, from)
    for (int i = 1; i < n; i++)
        to[i] = to[i] + 3 * from[i - 1];
}

static void rows(int n, int m, double *to, double *from)
{
    double(*p)[m] = (double(*)[m])from, (*q)[m] = (double(*)[m])to;
#pragma acc kernels present(p[0:n], q[0:n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            q[i][j] = 0.25 * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1]);
}

static void parameters(size_t n, size_t m, double q[n][m], double p[n][m])
{
#pragma acc kernels present(p[0:n], q[0:n])
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < m; j++)
            q[i][j] = p[i - 1][j] + 1;
}

static void cubes(int n, int m, int k, double a[n][m][k], double (*b)[m][2][k / 2])
{
#pragma acc kernels present(a[0:n], b[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k / 2; l++)
                a[i][j][l] = b[i][j][1][l] - b[i][j][0][l];
}

// Only the inner loops are in question.
static void inner(int n, int m, double *a, double *x, double *y)
{
#pragma acc kernels loop independent present(a[0:n * m], x[0:m], y[0:n])
    for (int i = 0; i < n; i++) {
        double dot = 0;
        for (int j = 0; j < m; j++)
            dot += a[i * m + j] * x[j];
        y[i] = dot;
        for (int j = 0; j < m; j++)
            a[i * m + j] -= 0.001 * x[j];
    }
}

// With functions of the library, variables of an iteration, and a pointer that is in a structure.
struct vector {
    int n;
    double *at;
};

static void roots(int n, double *to, double *from, struct vector *v)
{
#pragma acc kernels present(to[0:n], from[0:n])
    for (int i = 0; i < n; i++) {
        double powers[3] = {1, from[i], from[i] * from[i]}, sum = 0;
        for (int k = 0; k < 3; k++)
            sum += powers[k] + sqrt(fabs(from[i] + k));
        to[i] = sum;
    }
#pragma acc kernels present(to[0:n], v[0:1])
    for (int i = 0; i < n; i++)
        v->at[i] = to[i] + 1;
}

// Pointers of the iterations lead where those of outside do.
static void own(int n, int m, double *a, double *b)
{
#pragma acc kernels present(a[0:n * m], b[0:n * m])
    for (int i = 0; i < n; i++) {
        double *row = a + i * m, *other = b + i * m;
        for (int j = 1; j < m; j++)
            a[i * m + j] = 0.5 * row[j - 1] + other[j];
    }
#pragma acc kernels loop independent present(a[0:n * m])
    for (int i = 0; i < n; i++) {
        double *row = a + i * m;
        for (int j = 1; j < m; j++)
            a[i * m + j] = 0.5 * row[j - 1] + 1;
    }
#pragma acc kernels present(a[0:n * m], b[0:n * m])
    for (int i = 0; i < n; i++) {
        double *row = i % 2 ? a : b;
        for (int j = 1; j < m; j++)
            b[j] = row[j - 1] + a[i * m + j];
    }
}

// These are not independent, wherever the pointers lead.
static void sums(int n, int m, double *to, double *from)
{
    double(*p)[m] = (double(*)[m])from, (*q)[m] = (double(*)[m])to;
#pragma acc kernels present(p[0:n], q[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            q[i][j] = q[i - 1][j] * 0.5 + p[i][j];
#pragma acc kernels present(p[0:n], q[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            q[0][j] = q[0][j] * 0.9 + p[i][j - 1];
}

static void show(const char *what)
{
#pragma acc update self(all, other)
    double sum = 0;
    for (int i = 0; i < 2 * N; i++)
        sum += all[i] * (i % 7 + 1) + other[i] * (i % 5 + 1);
    printf("%s %.12g\n", what, sum);
}

int main(void)
{
    float single[N];
    for (int i = 0; i < 2 * N; i++)
        all[i] = i % 13, other[i] = i % 11;
    for (int i = 0; i < N; i++)
        single[i] = i % 3;
#pragma acc data copy(all, other)
    {
        halve(N, all, other);
        show("apart");
        halve(N, all + 1, all);
        halve(N, all, all + 1);
        show("one step apart");
        halve(N, other, other);
        show("the same");
        halve(N, all, all + N);
        halve(20, all, all + 30);
        halve(60, all, all + 30);
        halve(60, all + 30, all);
        show("in one mapping");
        halve(0, all, NULL);
        both(N, single, all);
        written(N, all, other);
        written(N, all, all);
        written(N, other + 3, other);
        show("written twice");
        double *device = acc_malloc(2 * N * sizeof(double)), *second = acc_malloc(N * sizeof(double));
        acc_memcpy_to_device(device, all, 2 * N * sizeof(double));
        acc_memcpy_to_device(second, other, N * sizeof(double));
        on_device(N, device, second);
        on_device(N, device, device);
        on_device(N, device + 2, device);
        acc_memcpy_from_device(all, device, 2 * N * sizeof(double));
        acc_free(device);
        acc_free(second);
#pragma acc update device(all)
        show("on the device");
        rows(ROWS, COLUMNS, all, other);
        rows(ROWS, COLUMNS, other, other);
        show("rows");
        parameters(ROWS, COLUMNS, (double(*)[COLUMNS])all, (double(*)[COLUMNS])other);
        parameters(ROWS, COLUMNS, (double(*)[COLUMNS])all, (double(*)[COLUMNS])all);
        show("parameters");
        cubes(5, 6, 8, (double(*)[6][8])all, (double(*)[6][2][4])other);
        cubes(5, 6, 8, (double(*)[6][8])other, (double(*)[6][2][4])other);
        show("cubes");
        inner(ROWS, COLUMNS, all, other, other + N);
        inner(ROWS, COLUMNS, all, all, other);
        show("inner loops");
        struct vector v = {N, other + N};
#pragma acc data copyin(v) attach(v.at)
        {
            roots(N, all, other, &v);
            roots(N, all + 1, all, &v);
        }
        show("roots");
        own(ROWS, COLUMNS, all, other);
        show("own pointers");
        sums(ROWS, COLUMNS, all, other);
        sums(ROWS, COLUMNS, other, other);
        show("sums");
    }
    for (int i = 0; i < N; i++)
        if (single[i] != i)
            printf("wrong\n");
    return 0;
}
