// Array parameters in data clauses of every directive are arrays of their declared size; those without size are pointers.
// launches: 11
#include <openacc.h>
#include <stdio.h>

#define N 20
#define M 12
#define COUNT(n) n
#define ARRAY_2D(a, n, m) a[COUNT(n)][COUNT(m)]
typedef double Matrix[N][M];
typedef Matrix Grid;
typedef double Row[M];
enum { Size = N };

static void data_vla(int n, double a[n], double const b[static 3], double c[restrict])
{
#pragma acc data copy(a) copyin(b) create(c[0:n])
    {
#pragma acc parallel loop present(a, b)
        for (int i = 0; i < n; i++)
            c[i] = a[i] + b[i % 3];
#pragma acc kernels loop present(a, c)
        for (int i = 0; i < n; i++)
            a[i] = 2 * c[i];
    }
}

static void data_2d(int n, int m, double ARRAY_2D(a, N, M), double b[n][m], Grid c, Row d[n + 1])
{
#pragma acc data copyin(a) copy(b) copyout(c) present_or_copy(d)
    {
#pragma acc parallel loop collapse(2) present(a, b, c)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) {
                c[i][j] = a[i][j] + b[i][j];
                b[i][j] += 1;
            }
#pragma acc parallel loop
        for (int j = 0; j < M; j++)
            d[n][j] = a[0][j];
    }
}

static void update(int n, double (a)[Size])
{
#pragma acc enter data copyin(a)
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; i++)
        a[i] += 100;
#pragma acc update self(a)
    double seen = a[n - 1];
    a[0] = seen;
#pragma acc update device(a)
#pragma acc parallel loop present(a[0:n])
    for (int i = 1; i < n; i++)
        a[i] -= a[0];
#pragma acc exit data copyout(a)
}

static void leave(double a[N], double b[N])
{
#pragma acc enter data copyin(a) create(b)
#ifdef _OPENACC
    if (!acc_is_present(a, N * sizeof *a) || !acc_is_present(b, N * sizeof *b))
        printf("not present\n");
#endif
#pragma acc exit data delete(a, b)
}

static double use(int n, double a[2 * n], double sum[1])
{
#pragma acc data copyin(a)
#pragma acc host_data use_device(a)
    {
        double *inside = a;
#pragma acc parallel loop deviceptr(inside) copyout(sum)
        for (int i = 0; i < 1; i++)
            sum[0] = inside[2 * n - 1];
    }
    return sum[0];
}

static void old_style(a, n)
    int n;
    double a[n];
{
#pragma acc parallel loop copy(a)
    for (int i = 0; i < n; i++)
        a[i] *= 3;
}

static void hidden(int n, double a[n])
{
    {
        double b[4] = {1, 2, 3, 4}, *a = b;
#pragma acc data copy(a[0:4])
#pragma acc parallel loop present(a[0:4])
        for (int i = 0; i < 4; i++)
            a[i] += 1;
        printf("%g\n", b[3]);
    }
#pragma acc serial copy(a)
    a[n - 1] += 1;
}

static void reduce(int n, double a[static 2][n])
{
#pragma acc parallel loop reduction(+:a)
    for (int i = 0; i < 1000; i++) {
        a[0][i % n] += 1;
        a[1][i % n] += i;
    }
}

int main(void)
{
    static double a[N][M], b[N][M], c[N][M], d[N + 1][M], v[N * M], w[N * M], sum[1];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = i - j;
            b[i][j] = i % 7;
            v[i * M + j] = j * 3 - i;
        }
    data_vla(N * M, v, b[3], w);
    data_2d(N, M, a, b, c, d);
    update(N, v);
    leave(v, w);
    old_style(v, N * M);
    hidden(N, v);
    double few[2][3] = {{0}};
    reduce(3, few);
    printf("%g %g %g %g %g\n", v[0], v[N - 1], v[N * M - 1], use(N, v, sum), few[1][2]);
    printf("%g %g %g %g\n", b[N - 1][M - 1], c[N - 1][M - 1], d[N][M - 1], d[0][0]);
    return 0;
}
