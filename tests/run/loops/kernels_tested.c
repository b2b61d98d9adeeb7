// Nests of `kernels` that are independent where pointers lead apart and products of unsigned numbers do not wrap, which the kernel tests: with
// memory that is apart, the same and overlapping; pointers in structs and at file scope; several nests in a construct; bounds of all kinds.
#include <stdio.h>
#include <stdlib.h>

enum { N = 24, ALL = 2 * N * N };

static double all[ALL], other[ALL];

static void smooth(int n, double *a, double *b)
{
#pragma acc kernels present(a[0:n * n], b[0:n * n])
    {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = 0.5 * a[i * n + j] + 0.5 * b[i * n + j];
    }
}

static void product(unsigned n, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc kernels present(a[0:n * n], b[0:n * n], c[0:n * n])
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            double sum = 0;
            for (unsigned k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

// Without `restrict`, with another way round and the last one included.
static void turned(unsigned rows, unsigned columns, double *to, double *from)
{
#pragma acc kernels present(to[0:rows * columns], from[0:rows * columns])
    for (unsigned i = rows; i > 0; i--)
        for (unsigned j = 0; j <= columns - 1; j++)
            to[(i - 1) * columns + j] = 2 * from[(rows - i) * columns + j] + i;
}

#define AT(i, j, k) ((i) + nx * ((j) + ny * (k)))
static void cube(unsigned nx, unsigned ny, unsigned nz, double *restrict to, double *restrict from)
{
#pragma acc kernels present(to[0:nx * ny * nz], from[0:nx * ny * nz])
    for (unsigned k = 1; k < nz - 1; k++)
        for (unsigned j = 1; j < ny - 1; j++)
            for (unsigned i = 1; i < nx - 1; i++)
                to[AT(i, j, k)] = from[AT(i + 1, j, k)] - from[AT(i - 1, j, k)] + from[AT(i, j + 1, k)] -
                                  from[AT(i, j - 1, k)] + from[AT(i, j, k + 1)] - from[AT(i, j, k - 1)];
}

// The products wrap: all iterations come to one element, or to those of small subscripts.
static void wrapped(unsigned n, unsigned first, double *restrict a)
{
#pragma acc kernels present(a[0:n])
    for (unsigned i = 0; i < n; i++)
        a[i * 65536u * 65536u] = 0.5 * a[i * 65536u * 65536u] + i;
#pragma acc kernels present(a[0:n])
    for (unsigned i = first; i < first + n; i++)
        for (unsigned j = 0; j < 4; j++)
            a[4u * i + j] += j + 1;
}

static void shifted(unsigned n, double *restrict a)
{
#pragma acc kernels present(a[0:n])
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < 4; j++)
            a[(i << 2) + j] += j * i;
}

struct grid {
    int n;
    double *to, *from;
    double own[4];
};

static void members(struct grid *g, int n)
{
#pragma acc kernels present(g[0:1])
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            g->to[i * n + j] += g->from[(i - 1) * n + j] + 1;
}

static void by_value(struct grid g, int n)
{
#pragma acc kernels
    for (int i = 1; i < n; i++)
        g.to[i] = 0.5 * g.from[i - 1] + g.to[i];
}

static void one_member(struct grid *g, int n)
{
#pragma acc kernels present(g[0:1])
    {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                g->to[i * n + j] = i - j;
        for (int i = 0; i < n; i++)
            g->to[i * n] += 2;
    }
}

static double *left, *right;
static int length;

static void file_scope(int rows)
{
#pragma acc kernels present(left[0:rows * length], right[0:rows * length])
    {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < length; j++)
                left[i * length + j] = 2 * right[i * length + j];
        for (int i = 0; i < rows; i++)
            right[i * length] = left[i * length] + 1;
    }
}

static void rows_of_length(int n, int m, double a[n][m], double b[n][m])
{
#pragma acc kernels present(a[0:n], b[0:n])
    {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] += b[i - 1][j];
        for (long i = 0; i < n; i++)
            for (long j = 1; j < m; j++)
                b[i][j] = a[i][j - 1];
    }
}

// Bounds and lengths of rows are members, too.
struct matrix {
    int rows, columns;
    double *at;
};

static void multiply(struct matrix *a, struct matrix *b, struct matrix *c)
{
#pragma acc kernels present(a[0:1], b[0:1], c[0:1])
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->columns; j++) {
            double sum = 0;
            for (int k = 0; k < a->columns; k++)
                sum += a->at[i * a->columns + k] * b->at[k * b->columns + j];
            c->at[i * c->columns + j] = sum * 0.001;
        }
}

static double largest(struct matrix a, struct matrix *b)
{
    double most = 0;
#pragma acc kernels present(b[0:1])
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++) {
            b->at[i * a.columns + j] = 0.5 * a.at[i * a.columns + j];
            if (b->at[i * a.columns + j] > most)
                most = b->at[i * a.columns + j];
        }
    return most;
}

// Some bodies are never looked at, and not all accesses happen.
struct bodies {
    int n;
    double (*place)[2], *force;
    int *kind;
};

static void forces(struct bodies *all)
{
#pragma acc kernels present(all[0:1])
    for (int i = 0; i < all->n; i++) {
        double sum = 0;
        for (int j = 0; j < all->n; j++) {
            if (all->kind[j] == 0)
                continue;
            sum += all->place[j][0] - all->place[i][1];
        }
        all->force[i] = sum;
    }
}

// The second pointer is never looked at where there is no iteration.
static void never(struct grid *g, int n)
{
#pragma acc kernels
    for (int i = 0; i < n; i++)
        g->to[i] = g->from[i];
}

// The bound is among what is written.
static void own_bound(int *a, int *bound)
{
#pragma acc kernels present(a[0:8], bound[0:1])
    {
        for (int i = 0; i < *bound; i++)
            a[i] = i + 3;
        for (int i = 0; i < 8; i++)
            a[i] += 1;
    }
}

static void show(const char *what)
{
#pragma acc update self(all, other)
    double sum = 0;
    for (int i = 0; i < ALL; i++)
        sum += all[i] * (i % 7 + 1) + other[i] * (i % 5 + 1);
    printf("%s %.12g\n", what, sum);
}

static void fill(void)
{
    for (int i = 0; i < ALL; i++)
        all[i] = i % 13, other[i] = i % 11;
#pragma acc update device(all, other) if_present
}

int main(void)
{
    fill();
#pragma acc data copy(all, other)
    {
        smooth(N, all, other);
        show("apart");
        smooth(N, all, all);
        show("the same");
        smooth(N, all + 3, all);
        smooth(N, all, all + N * N);
        show("shifted");
        product(N, all, all + N * N, other);
        show("product");
        turned(N, N, all, other);
        turned(N, N, all, all);
        turned(N, N, all + 5, all);
        turned(1, 1, other, all);
        show("turned");
        fill();
        cube(6, 7, 8, other, all);
        cube(2, 7, 8, other, all);
        show("cube");
        wrapped(N, 0, all);
        wrapped(N, 1u << 30, all);
        wrapped(N, 1u << 31, all);
        show("wrapped");
        shifted(N, all);
        show("shifts");
        left = all, right = other, length = N;
        file_scope(N);
        left = all, right = all + 1;
        file_scope(N - 1);
        show("file scope");
        fill();
        rows_of_length(N, N, (double(*)[N])all, (double(*)[N])other);
        rows_of_length(N, N, (double(*)[N])all, (double(*)[N])all);
        rows_of_length(N, N, (double(*)[N])all, (double(*)[N])(all + N));
        show("rows");
        fill();
        struct grid apart = {N, all, other, {0}}, same = {N, all, all, {0}}, close = {N, all, all + 2, {0}};
#pragma acc data copyin(apart, same, close) attach(apart.to, apart.from, same.to, same.from, close.to, close.from)
        {
            members(&apart, N);
            show("members");
            members(&same, N);
            members(&close, N);
            show("members that overlap");
            fill();
            one_member(&apart, N);
            show("one member");
            never(NULL, 0);
        }
        struct matrix a = {N, N - 2, all}, b = {N - 2, N, all + N * N}, c = {N, N, other}, d = {N, N, all + 5}, e = {0, N, NULL};
        int kinds[N];
        for (int i = 0; i < N; i++)
            kinds[i] = i % 3;
        struct bodies bodies = {N, (double(*)[2])all, other, kinds}, near = {N, (double(*)[2])all, all + 6, kinds};
#pragma acc data copyin(a, b, c, d, e, kinds, bodies, near)
#pragma acc data attach(a.at, b.at, c.at, d.at, bodies.place, bodies.force, bodies.kind, near.place, near.force, near.kind)
        {
            multiply(&a, &b, &c);
            show("matrices");
            multiply(&a, &b, &d);
            multiply(&a, &b, &e);
            show("matrices that overlap");
            fill();
            printf("%g\n", largest(c, &a));
            printf("%g\n", largest(a, &d));
            show("largest");
            fill();
            forces(&bodies);
            forces(&near);
            show("forces");
        }
        by_value(apart, N);
        by_value(same, N);
        by_value(close, N);
        show("by value");
    }
    int numbers[8] = {0}, bound = 4;
#pragma acc data copy(numbers, bound)
    {
        own_bound(numbers, &bound);
        own_bound(numbers, numbers + 2);
    }
    for (int i = 0; i < 8; i++)
        printf("%d ", numbers[i]);
    printf("\n");
    return 0;
}
