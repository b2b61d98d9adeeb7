// What loops add up in memory, where arguments lead to memory that does not overlap and where it does: rows, columns, windows, stores in
// front of the loop and without one, loops without iterations, conditions, jumps, pointers that move, members and neighbours.
#include <stdio.h>
#include <stdlib.h>

enum { N = 150, M = 70 };

static long work[N * N + N], image[N * N], line[N], result[N * N];

static void fill(void)
{
    for (int i = 0; i < N * N + N; i++)
        work[i] = i * 7 % 13 - 5;
    for (int i = 0; i < N * N; i++)
        image[i] = i * 5 % 17 - 8, result[i] = i % 3;
    for (int i = 0; i < N; i++)
        line[i] = i * 3 % 7 - 2;
}

static void show(const char *name, const long *of, int n)
{
    unsigned long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned long)of[i];
    printf("%-10s %lu\n", name, sum);
}

static void rows(int n, long *a, long *x, long *y)
{
#pragma acc parallel loop copyin(a[0:n * n], x[0:n]) copy(y[0:n])
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] = y[i] + a[i * n + j] * x[j];
    }
}

static void falling(int n, long *a, long *b, long *c)
{
#pragma acc kernels copyin(a[0:n * n], b[0:n * n]) copy(c[0:n * n])
#pragma acc loop independent
    for (int i = 0; i < n; i++) {
#pragma acc loop independent
        for (int j = 0; j < n; j++) {
            for (int k = i; k >= 2; k--)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            c[i * n + j] *= 3;
        }
    }
}

// `y` may be `a`: each row has its sum in it, and adds that, too.
static void own_rows(int n, long *a, long *y)
{
#pragma acc parallel loop present(a[0:n * n], y[0:n * n])
    for (int i = 0; i < n; i++) {
        y[i * n + 2] = 1;
        for (int j = 0; j < n; j++)
            y[i * n + 2] += a[i * n + j] * 3;
    }
}

static void columns(size_t n, size_t m, const long *a, const long *t, long *y)
{
    size_t i, j;
#pragma acc kernels loop independent private(i) copyin(a[0:n * n], t[0:n]) copy(y[0:n])
    for (j = 0; j < n; ++j)
        for (i = 0; i < m; ++i)
            y[j] += a[i * n + j] * t[i];
}

static void windows(int n, long *in, long *weight, long *out)
{
    long(*o)[n] = (long(*)[n])out, (*p)[n] = (long(*)[n])in;
#pragma acc kernels copyin(p[0:n], weight[0:9]) copy(o[0:n])
#pragma acc loop independent collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            o[i][j] = 1;
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++)
                    o[i][j] += weight[3 * (a + 1) + b + 1] * p[i + a][j + b];
        }
}

// `out` may be `in`.
static void repeated(int n, int k, long *in, long *out)
{
#pragma acc parallel loop collapse(2) present(in[0:n * n], out[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 1;
            for (int a = 0; a < k; a++)
                for (int b = 0; b < 3; b++)
                    out[i * n + j] += (a + 2 * b) * in[i * n + j];
        }
}

// `z` may be `y`: what is read of one is what the other has become.
static void both(int n, long *a, long *y, long *z)
{
#pragma acc parallel loop present(a[0:n * n], y[0:n * n], z[0:n * n])
    for (int i = 0; i < n; i++) {
        y[i] = 1;
        z[i] = 2;
        for (int j = 0; j < n; j++) {
            y[i] += a[i * n + j];
            z[i] += y[i];
        }
    }
}

struct sum { long low, high; int count; };

static void members(int n, int m, long *a, struct sum *s)
{
#pragma acc parallel loop copyin(a[0:n * n]) copy(s[0:n])
    for (int i = 0; i < n; i++) {
        s[i].count = 0;
        for (int j = 0; j < m; j++) {
            long v = a[i * n + j];
            if (v > 2)
                s[i].count++;
            s[i].low += v & 3;
            s[i].high += v >> 2;
        }
    }
}

static void jumps(int n, long *a, long *y, long *z)
{
#pragma acc parallel loop copyin(a[0:n * n]) copy(y[0:n], z[0:n])
    for (int i = 0; i < n; i++) {
        y[i] = 5;
        for (int j = 0; j < n; j++) {
            if (a[j * n + i] == 7)
                break;
            if (a[j * n + i] < 0)
                continue;
            y[i] += a[j * n + i];
            z[i] = j;
        }
    }
}

static void moved(int n, int m, long *a, long *y)
{
#pragma acc parallel loop copyin(a[0:n * n]) copy(y[0:2 * n])
    for (int i = 0; i < n; i++) {
        long *p = a + i * n, *q = y + 2 * i;
        q[0] = q[1] = 0;
        for (int j = 0; j < m; j++, p++) {
            q[0] += *p;
            q[1] += q[0] * 2;
        }
    }
}

int main(void)
{
    static struct sum sums[N];
    long weight[9] = {1, -2, 3, -4, 5, -6, 7, -8, 9};
    fill();
    rows(N, image, line, result);
    show("rows", result, N);
    fill();
    columns(N, M, image, line, result);
    show("columns", result, N);
    columns(N, 0, image, line, result);
    show("none", result, N);
    fill();
    windows(N, image, weight, result);
    show("windows", result, N * N);
    fill();
    falling(M, image, work, result);
    show("falling", result, M * M);
    fill();
    members(N, M, image, sums);
    members(N, 0, image, sums);
    for (int i = 0; i < N; i++)
        line[i] = sums[i].low * 100 + sums[i].high * 10 + sums[i].count;
    show("members", line, N);
    fill();
    jumps(N, image, line, result);
    show("jumps", line, N);
    show("last", result, N);
    fill();
    moved(N, M, image, result);
    show("moved", result, 2 * N);
    fill();
#pragma acc data copy(work, image, result)
    {
        own_rows(N, image, image);
        own_rows(N, image, work);
        repeated(N, 4, image, result);
        repeated(N, 0, image, image + 0);
        repeated(N, 3, result, result);
        both(M, image, work, work);
        both(M, image, work + M * M, work + 2 * M * M);
    }
    show("own rows", work, N * N);
    show("in place", image, N * N);
    show("repeated", result, N * N);
    return 0;
}
