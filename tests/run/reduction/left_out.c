// Reductions without a clause: loops that only update a scalar by one operator, however it is spelled, give what they give
// without directives.
// cflags: -Wno-openacc-left-out-reduction
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, M = 37 };
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((b) > (a) ? (a) : (b))

static double x[N], y[N];
static long total = 3;
static int grid[M][M];

static void sums(size_t n, const double *restrict a)
{
    double s = 1, t = 2, left = 0, p = 1;
    float f = 0.5f;
    int count = 0;
    unsigned char low = 7;
    short turns = 1;
#pragma acc parallel loop copyin(a[0:n])
    for (size_t i = 0; i < n; i++) {
        s += a[i];
        t = a[i] + t;
        left = left - a[i] - 1;
        f += a[i];
        if (a[i] > 30)
            count++;
        low += i;
        turns -= 3;
        p *= i % 100 == 50 ? 2 : 1;
    }
    printf("%g %g %g %g %d %d %d %g\n", s, t, left, f, count, low, turns, p);
}

static void extrema(int n, const double *a, const double *b)
{
    double error = 0, most = -1e30, least = 1e30, far = 0, near = 5;
    float narrow = 0;
    int high = -5;
    unsigned top = 0;
#pragma acc parallel loop copyin(a[0:n], b[0:n])
    for (int i = 0; i < n; ++i) {
        error = fmax(error, fabs(a[i] - b[i]));
        if (a[i] > most)
            most = a[i];
        least = a[i] < least ? a[i] : least;
        far = MAX(fabs(a[i]), far);
        near = MIN(near, b[i] + 3);
        narrow = fmaxf(narrow, (float)a[i]);
        if (high < i % 77) {
            high = i % 77;
        }
        top = top > (unsigned)-i ? top : (unsigned)-i;
    }
    printf("%g %g %g %g %g %g %d %u\n", error, most, least, far, near, narrow, high, top);
}

static void bits(long n, const double a[n])
{
    int all = 1, any = 0, some = 0;
    unsigned ors = 0, ands = -1u, xors = 9;
    _Bool found = 0, good = 1;
#pragma acc parallel loop copyin(a[0:n])
    for (long i = n; i > 0; i--) {
        all = all && a[i - 1] > -1000;
        any = any || a[i - 1] > 45;
        some |= a[i - 1] < -44;
        ors |= 1u << i % 20;
        ands &= ~(2u << i % 5);
        xors ^= (unsigned)i * 7;
        found |= a[i - 1] == 12;
        good = good && a[i - 1] != 13;
    }
    printf("%d %d %d %x %x %x %d %d\n", all, any, some, ors, ands, xors, found, good);
}

/* Loops without levels, with levels, in nests, in `kernels`; variables of iterations and of the file. */
static void nests(void)
{
    double rows[M], sum, most = 0;
    int inside = 0;
#pragma acc parallel loop gang copyout(rows)
    for (int i = 0; i < M; i++) {
        double row = 0;
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            row += grid[i][j];
        rows[i] = row;
    }
#pragma acc parallel loop
    for (int i = 0; i < M; i++) {
#pragma acc loop
        for (int j = 0; j < M; j++) {
            total += grid[i][j];
            inside += grid[i][j] > 3 && i != j;
        }
    }
    for (int i = 0; i < M; i++)
        most += rows[i] * i;
    printf("%g %ld %d\n", most, total, inside);
    sum = 0;
    most = 0;
#pragma acc kernels
    {
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                sum += grid[i][j];
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++)
                most = fmax(most, grid[i][j] * (i + 1) - sum / 1000);
    }
    printf("%g %g\n", sum, most);
#pragma acc parallel loop gang collapse(2) copy(sum)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            sum += grid[j][i];
    printf("%g\n", sum);
#pragma acc data copy(sum)
    {
#pragma acc parallel loop present(sum)
        for (int i = 0; i < M; i++)
            sum += i;
#pragma acc kernels loop independent
        for (int i = 0; i < M; i++)
            sum -= 2 * i;
    }
    printf("%g\n", sum);
#pragma acc parallel loop gang private(sum) copyout(rows)
    for (int i = 0; i < M; i++) {
        sum = i;
#pragma acc loop worker
        for (int j = 0; j < M; j++)
            sum += grid[i][j];
        rows[i] = sum;
    }
    most = 0;
    for (int i = 0; i < M; i++)
        most += rows[i] * (i + 1);
    printf("%g\n", most);
}

/* What looks like it and is none, or is meant otherwise. */
static void others(void)
{
    int last = 5, state = 1;
#pragma acc parallel loop seq copy(last)
    for (int i = 0; i < 10; i++)
        last = last * 2 % 1000 + i;
#pragma acc kernels copyout(y)
    for (int i = 0; i < 100; i++) {
        state += i;
        y[i] = state;
    }
    // Cut off, rounded or asked in every step: no operator alone.
    int cut = 7, kept = 0, asked = 3;
    double rounded = 0.1;
#pragma acc kernels
    for (int i = 0; i < 100; i++) {
        cut = (short)cut + i * 1000;
        kept = (short)(kept + i * 999);
        asked = (_Bool)asked + 2;
        rounded = (float)rounded + 0.3;
    }
    printf("%d %d %d %.17g\n", cut, kept, asked, rounded);
    // The old value on both sides, or in what is added.
    int twice = 3, more = 1;
    unsigned square = 3;
#pragma acc kernels
    for (int i = 0; i < 10; i++)
        twice = twice + twice;
#pragma acc kernels
    for (int i = 0; i < 10; i++)
        square = square * square;
#pragma acc kernels
    for (int i = 0; i < 10; i++)
        more += more % 3 + i;
    printf("%d %u %d\n", twice, square, more);
    printf("%d %d %g %g\n", last, state, y[50], y[99]);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        x[i] = i * 31 % 97 - 48;
        y[i] = i * 17 % 101 - 49;
    }
    for (int i = 0; i < M * M; i++)
        grid[i / M][i % M] = i * 7 % 10;
    sums(N, x);
    extrema(N, x, y);
    bits(N, x);
    nests();
    others();
    return 0;
}
