// Loops that add up in memory, in launches of few iterations: lanes of a gang share such a loop out, unless memory overlaps or something
// else uses the sum.
// launches: 17
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 6, LONG = 700 };

struct both {
    unsigned long sum;
    unsigned bits;
};

static unsigned long tmp[ROWS];

// Two sums, one of them of a variable of the program.
static void twice(int n, unsigned long alpha, unsigned long *a, unsigned long *b, unsigned long *x, unsigned long *y)
{
#pragma acc kernels loop independent present(a[0:ROWS * n], b[0:ROWS * n], x[0:n], y[0:ROWS]) copy(tmp)
    for (int i = 0; i < ROWS; i++) {
        tmp[i] = 3;
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            tmp[i] = a[i * n + j] * x[j] + tmp[i];
            y[i] -= b[i * n + j] * x[j];
        }
        y[i] = alpha * tmp[i] + y[i];
    }
}

// Down columns, through a pointer that is moved on, in a loop whose levels are asked for.
static void columns(size_t n, const unsigned long *a, const unsigned long *x, unsigned long *y)
{
#pragma acc parallel loop gang vector present(a[0:ROWS * n], x[0:n], y[0:ROWS])
    for (size_t j = 0; j < ROWS; ++j) {
        const unsigned long *at = a + j;
        for (unsigned i = 0; i < n; ++i)
            y[j] += at[i * ROWS] * x[i];
    }
}

// Members of structs, and a condition.
static void members(int n, const unsigned long *a, struct both *to)
{
#pragma acc parallel loop present(a[0:ROWS * n], to[0:ROWS])
    for (int i = 0; i < ROWS; i++)
        for (int j = n - 1; j >= 0; j--) {
            if (a[i * n + j] % 3 == i % 3)
                to[i].sum += a[i * n + j];
            to[i].bits ^= (unsigned)a[i * n + j] * 2654435761u;
        }
}

// Where nothing is added, nothing is accessed.
static void nowhere(int n, const unsigned long *a, const int *place, unsigned long *y)
{
#pragma acc parallel loop present(a[0:ROWS * n], place[0:ROWS], y[0:ROWS])
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < n; j++)
            if (place[i] >= 0)
                y[place[i]] |= a[i * n + j];
}

// Each iteration sees the sum of those before.
static void seen(int n, unsigned long *a, unsigned long *y)
{
#pragma acc parallel loop present(a[0:ROWS * n], y[0:ROWS])
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < n; j++) {
            y[i] += j;
            a[i * n + j] = y[i];
        }
}

// The sums are among what is added.
static void among(int n, unsigned long *a)
{
#pragma acc parallel loop present(a[0:ROWS * n])
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < n; j++)
            a[i * n + 5] += a[i * n + j];
}

static unsigned long check(const unsigned long *v, int n, unsigned long sum)
{
    for (int i = 0; i < n; i++)
        sum = 31 * sum + v[i];
    return sum;
}

int main(void)
{
    int n = LONG;
    unsigned long *a = malloc(ROWS * LONG * sizeof *a), *b = malloc(ROWS * LONG * sizeof *b), *x = malloc(LONG * sizeof *x);
    unsigned long y[ROWS] = {0}, z[ROWS] = {1, 2, 3, 4, 5, 6}, w[ROWS] = {0};
    struct both to[ROWS] = {{0, 0}};
    int place[ROWS] = {3, -1, 0, -1, 5, 1};
    for (int k = 0; k < ROWS * LONG; k++) {
        a[k] = k % 23 - 7;
        b[k] = k % 19 - 11;
    }
    for (int k = 0; k < LONG; k++)
        x[k] = k % 13 - 4;
#pragma acc data copy(a[0:ROWS * LONG], b[0:ROWS * LONG], x[0:LONG], y, z, w, to, place)
    {
        twice(n, 5, a, b, x, y);
        columns(n, a, x, z);
        members(n, a, to);
        nowhere(n, a, place, w);
        // The sum of a column is one of its elements: in order.
        columns(n, a, x, a + 77 * ROWS);
        columns(0, a, x, z);
        seen(n, b, y);
        among(n, a);
        for (int k = 128; k < 137; k++)
            columns(k, b, x, z);
    }
    unsigned long sum = check(a, ROWS * LONG, 1);
    sum = check(w, ROWS, check(z, ROWS, check(y, ROWS, check(x, LONG, check(b, ROWS * LONG, sum)))));
    sum = check(tmp, ROWS, sum);
    for (int i = 0; i < ROWS; i++)
        sum = 31 * sum + to[i].sum + to[i].bits;
    printf("%lu\n", sum);
    free(a);
    free(b);
    free(x);
    return 0;
}
