// Elements that the iterations of some loops share and those of others do not: rows, columns, several loops and levels; extrema
// in all spellings, of all widths; what other accesses, clauses and calls have to do with the place.
// cflags: -Wno-openacc-left-out-reduction
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 60, M = 70 };
static double a[N][M];

static double sum(int n, const double *x) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += (1 + i % 3) * x[i];
    return s;
}

/* A row's element belongs to the outer iteration and is shared by the inner ones; a column's the other way around. */
static void rows_and_columns(double *y, double *h) {
#pragma acc parallel loop gang
    for (int i = 0; i < N; i++) {
        y[i] = 0;
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            y[i] += a[i][j];
    }
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            h[j] = h[j] + a[i][j];
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            y[i] += 2 * a[i][j];
            h[j] -= a[i][j] / 2;
        }
#pragma acc parallel loop worker
    for (int i = 0; i < N; i++) {
        int j = 0;
        while (j < M - 1) {
            double *at = h + j;
            *at += a[i][j];
            h[j + 1] += a[i][j + 1];
            ++j;
        }
    }
    printf("%.12g %.12g\n", sum(N, y), sum(M, h));
}

struct box {
    double low, high;
    struct {
        float low[2];
        unsigned char bits;
        short small;
        long long product;
        unsigned most;
    } in;
};

/* The spellings of extrema; narrow and wide integers. */
static void extrema(struct box *b, const double *x, int n) {
#pragma acc parallel loop copy(b[0:2]) copyin(x[0:n])
    for (int i = 0; i < n; i++) {
        b[1].low = fmin(x[i], b[1].low);
        if (x[i] > b[1].high)
            b[1].high = x[i];
        b->in.low[0] = b->in.low[0] < (float)x[i] ? b->in.low[0] : (float)x[i];
        b->in.low[1] = (float)x[i] >= b->in.low[1] ? b->in.low[1] : (float)x[i];
        b->in.bits ^= i;
        b->in.small += i;
        b->in.product *= i % 9 == 4 ? 3 : 1;
        if (b->in.most < (unsigned)i * 77777777u)
            b->in.most = (unsigned)i * 77777777u;
    }
    printf("%g %g %g %g %d %d %lld %u\n", b[1].low, b[1].high, b->in.low[0], b->in.low[1], b->in.bits, b->in.small,
           b->in.product, b->in.most);
}

/* Not shared, or not only updated: as it was. */
static void others(int n, const double *x, double *y) {
    int last[4] = {0, 0, 0, 0};
#pragma acc parallel loop copyin(x[0:n]) copyout(y[0:n])
    for (int i = 0; i < n; i++) {
        double own[2] = {0, 1};
        int k = i;
        own[0] += x[i];
        own[1] *= x[i];
        y[k] = 0;
        y[k] += own[0] - own[1];
        y[i + 0] += 1;
    }
#pragma acc parallel loop private(last)
    for (int i = 0; i < n; i++) {
        last[1] = i;
        last[1] += i;
        y[i] += last[1];
    }
#pragma acc parallel loop copy(y[0:n])
    for (int i = 0; i < n / 2; i++) {
        y[2 * i] += y[2 * i + 1];
        y[2 * i + 1] *= 2;
    }
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int j = i; j < i + 1; j++)
            y[j] += x[j];
    printf("%.12g\n", sum(n, y));
}

/* A gang's own, shared by its lanes; a part of a reduced array; one address twice under two names. */
static void of_gangs(int n, const double *x) {
    double out[4] = {0, 0, 0, 0}, total[2] = {0, 0};
#pragma acc parallel num_gangs(4) copyin(x[0:n]) copyout(out)
    {
#pragma acc loop gang
        for (int g = 0; g < 4; g++) {
            double part[2] = {0, -1};
#pragma acc loop vector
            for (int i = 0; i < n; i++) {
                part[0] += x[i] + g;
                part[1] = fmax(part[1], x[i]);
            }
            out[g] = part[0] + part[1];
        }
    }
#pragma acc parallel loop reduction(+ : total) copyin(x[0:n])
    for (int i = 0; i < n; i++)
        total[i % 2] += x[i], total[0] += 1;
    printf("%.12g %.12g\n", sum(4, out), sum(2, total));
    double cell = 0, *p = &cell, *q = &cell;
#pragma acc parallel loop copy(p[0:1]) present_or_copy(q[0:1]) copyin(x[0:n])
    for (int i = 0; i < n; i++) {
        *p += x[i];
        q[0] += 1;
    }
    printf("%.12g\n", cell);
}

#pragma acc routine seq
static double twice(double x) {
    return 2 * x;
}

#pragma acc routine vector
static void add_up(int n, const double *x, double *to) {
#pragma acc loop vector
    for (int i = 0; i < n; i++)
        to[0] += x[i];
}

struct list {
    double *values;
    int which;
};

/* Calls in what is added; a pointer in a struct; a routine's lanes; kernels. */
static void calls(int n, double *x) {
    double v[3] = {1, 2, 3};
    struct list l = {v, 2};
#pragma acc parallel loop copy(l, l.values[0:3]) copyin(x[0:n])
    for (int i = 0; i < n; i++) {
        l.values[l.which] += twice(x[i]) + (x[i] > 3 ? twice(1) : 0);
        if (i % 2)
            l.values[0] += 1;
        else
            l.values[0] += 2;
    }
    double to[5] = {0, 0, 0, 0, 0};
#pragma acc parallel loop gang copy(to) copyin(x[0:n])
    for (int g = 0; g < 5; g++)
        add_up(n - g, x, to + g);
#pragma acc kernels loop independent copy(v) copyin(x[0:n])
    for (int i = 0; i < n; i++)
        v[1] += x[i];
#pragma acc kernels copy(v) copyin(x[0:n])
    for (int i = 0; i < n; i++) {
        v[1] = v[1] / 2 + x[i];
        v[2] = fmax(v[2], x[i]);
    }
    printf("%g %g %.6g %.12g\n", v[0], v[1], v[2], sum(5, to));
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (7 * i + 3 * j) % 32;
    double y[N], h[M];
    memset(y, 0, sizeof y);
    memset(h, 0, sizeof h);
    rows_and_columns(y, h);
    struct box b[2];
    memset(b, 0, sizeof b);
    b[0].in.low[0] = b[0].in.low[1] = 99;
    b[1].low = 50;
    b[0].in.product = 5;
    for (int i = 0; i < 60; i++)
        y[i] = (11 * i) % 37 - 3;
    extrema(b, y, 60);
    others(60, y, &a[0][0]);
    of_gangs(60, y);
    calls(60, y);
    return 0;
}
