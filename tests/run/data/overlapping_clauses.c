// Sections of one directive that overlap at run time: their clauses work in any order, whether one holds the other or not.
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };

static double *fresh(void)
{
    double *p = malloc(N * sizeof *p);
    for (int i = 0; i < N; i++)
        p[i] = i;
    return p;
}

static void done(const char *what, double *p)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += p[i] * (i + 1);
    printf("%s: %g %g %g %g\n", what, p[0], p[5], p[N - 1], sum);
    free(p);
}

static void part_first(double *part, double *all, int n)
{
#pragma acc parallel loop create(part[0:4]) copyout(all[0:n])
    for (int i = 0; i < n; i++)
        all[i] = 3 * i;
}

static void part_first_data(double *part, double *all, int n)
{
#pragma acc data copyin(part[0:4]) copy(all[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < 4; i++)
            part[i] += 100;
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            all[i] += 1;
    }
}

/* No section holds the other. */
static void chain(double *a, double *b)
{
#pragma acc parallel loop copyin(a[0:6]) copyout(b[3:6])
    for (int i = 3; i < 9; i++)
        b[i] = a[i - 3] * 10;
}

static void chain_back(double *a, double *b)
{
#pragma acc data copyout(b[3:6]) copyin(a[0:6])
#pragma acc serial loop present(a[0:6], b[3:6])
    for (int i = 8; i >= 3; i--)
        b[i] = a[i - 3] + 1;
}

/* Two that meet only through a third. */
static void bridge(double *a, double *b, double *c)
{
#pragma acc parallel loop copyin(a[0:10]) copyin(b[20:10]) copy(c[5:20])
    for (int i = 5; i < 25; i++)
        c[i] += (i < 10 ? a[i] : 0) + (i >= 20 ? b[i] : 0);
}

static void unstructured(double *part, double *all, int n)
{
#pragma acc enter data create(part[0:4]) copyin(all[0:n])
#pragma acc parallel loop present(all[0:n])
    for (int i = 0; i < n; i++)
        all[i] *= 2;
    /* Each clause has its count. */
#pragma acc exit data delete(part[0:4])
#pragma acc parallel loop present(all[0:n])
    for (int i = 0; i < n; i++)
        all[i] += 1;
#pragma acc exit data copyout(all[0:n])
}

static void unstructured_together(double *part, double *all, int n)
{
#pragma acc enter data copyin(part[2:4], all[0:n]) async(1)
#pragma acc parallel loop present(all[0:n], part[2:4]) async(1)
    for (int i = 0; i < n; i++)
        all[i] *= 3;
#pragma acc exit data copyout(part[2:4]) delete(all[0:n]) async(1)
#pragma acc wait
}

/* What `no_create` and `present` ask for may be made by a clause behind them. */
static void optional_first(double *part, double *all, int n)
{
#pragma acc parallel loop no_create(part[0:4]) copy(all[0:n])
    for (int i = 0; i < n; i++)
        all[i] += i < 4 ? part[i] : 0.5;
}

static void zeroed(double *part, double *all, int n)
{
#pragma acc data copyout(all[0:n]) create(zero: part[0:4])
#pragma acc parallel loop present(all[0:n], part[0:4])
    for (int i = 0; i < n; i++)
        all[i] = (i < 4 ? part[i] : i) + 1;
}

/* Rows that overlap: windows into one array. */
static void windows(double **w, int rows, int width, double *out)
{
#pragma acc parallel loop copyin(w[0:rows][0:width]) copyout(out[0:rows])
    for (int i = 0; i < rows; i++) {
        double s = 0;
        for (int j = 0; j < width; j++)
            s += w[i][j];
        out[i] = s;
    }
}

static void rows_first(double **rows, int n, int width, double *block)
{
#pragma acc data copy(rows[0:n][0:width]) copyin(block[0:n * width])
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < width; j++)
            rows[i][j] = block[i * width + j] + 7;
}

static void strips(double a[4][10], double b[4][10])
{
#pragma acc parallel loop copyin(a[0:2][0:10]) copy(b[1:2])
    for (int i = 1; i < 3; i++)
        for (int j = 4; j < 7; j++)
            b[i][j] += a[i - 1][j - 4] + 0.25;
}

struct pair {
    double a[3], b[3];
};

static void member_first(struct pair *p, double *b)
{
#pragma acc parallel loop copyin(b[0:3]) copy(p[0:1])
    for (int i = 0; i < 3; i++)
        p->a[i] += b[i];
}

/* The reduction's variable is in a section. */
static void summed(double *p, int n)
{
    double s = 1, *q = &s;
#pragma acc parallel loop copyin(p[0:4]) copyin(q[0:1]) copyin(p[2:n - 2]) reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += p[i];
    printf("sum %g\n", s);
}

int main(void)
{
    double *p = fresh();
    part_first(p + 7, p, N);
    done("part first", p);
    p = fresh();
    for (int i = 0; i < 3; i++)
        part_first(p, p, N);
    part_first(p + N - 4, p, N);
    done("again", p);
    p = fresh();
    part_first_data(p + 5, p, N);
    done("data", p);
    p = fresh();
#pragma acc data copy(p[0:N])
    part_first_data(p + 5, p, N);
    done("data in data", p);
    p = fresh();
    double *q = fresh();
    chain(q, p);
    done("two objects", p);
    done("two objects", q);
    p = fresh();
    chain_back(p, p);
    done("chain back", p);
    p = fresh();
    bridge(p, p, p);
    done("bridge", p);
    p = fresh();
    unstructured(p + 1, p, N);
    done("unstructured", p);
    p = fresh();
    unstructured_together(p, p, N);
    printf("%g %g %g %g\n", p[2], p[5], p[2] + p[3], p[4]);
    free(p);
    p = fresh();
    optional_first(p, p, N);
    done("no_create", p);
    p = fresh();
    zeroed(p, p, N);
    printf("%g %g\n", p[4], p[N - 1]);
    free(p);
    p = fresh();
    double *w[8], out[8];
    for (int i = 0; i < 8; i++)
        w[i] = p + 3 * i;
    windows(w, 8, 10, out);
    for (int i = 0; i < 8; i++)
        printf("%g%c", out[i], i < 7 ? ' ' : '\n');
    for (int i = 0; i < 8; i++)
        w[i] = p + 5 * i;
    rows_first(w, 8, 5, p);
    done("rows", p);
    double g[4][10];
    for (int i = 0; i < 40; i++)
        (&g[0][0])[i] = i;
    strips(g, g);
    printf("%g %g %g %g\n", g[1][4], g[1][6], g[2][5], g[0][5]);
    struct pair pair = {{1, 2, 3}, {10, 20, 30}};
    member_first(&pair, pair.b);
    printf("%g %g %g\n", pair.a[0], pair.a[2], pair.b[1]);
    p = fresh();
    summed(p, N);
    done("end", p);
    return 0;
}
