// Nests in which loads depend on the row or on the column, in three types of index: threads of a covering grid do several rows and columns
// where there are enough of them, also at the ends of rows and columns. Some of it has to be done by each row, each column or each
// element for itself.
#include <stdio.h>
#include <stdlib.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f##_, SUFFIX)

enum { ROWS = 1027, COLUMNS = 1030, INNER = 5 };
static double a[ROWS * COLUMNS], b[ROWS * COLUMNS], c[ROWS * COLUMNS];

static void show(const double *x, long n)
{
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += x[k] * (k % 7 + 1);
    printf("%.17g %.17g\n", sum, x[n - 1]);
}

#define I int
#define SUFFIX int
#include "columns.h"
#undef I
#undef SUFFIX
#define I unsigned
#define SUFFIX unsigned
#include "columns.h"
#undef I
#undef SUFFIX
#define I size_t
#define SUFFIX size
#include "columns.h"

int main(void)
{
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        a[k] = (k * 37 + 11) % 101;
        b[k] = 0.25 * (k % 1003);
        c[k] = k % 3;
    }
    product_int(ROWS, COLUMNS, INNER, a, b, c);
    show(c, ROWS * COLUMNS);
    pointers_size(ROWS, COLUMNS, INNER, a, b, c);
    show(c, ROWS * COLUMNS);
    mixed_unsigned(ROWS, COLUMNS, INNER, a, b, c);
    show(c, ROWS * COLUMNS);
    branches_int(ROWS, COLUMNS, INNER, a, b, c);
    show(c, ROWS * COLUMNS);
    branches_size(ROWS, COLUMNS, 4, a, b, c);
    show(c, ROWS * COLUMNS);
    product_unsigned(ROWS, 130, INNER, a, b, c);
    show(c, ROWS * 130);
    mixed_int(129, COLUMNS, 3, a, b, c);
    show(c, 129 * COLUMNS);
#pragma acc data copyin(a, b) copy(c)
    {
        in_memory_int(ROWS, COLUMNS, INNER, a, b, c);
        in_memory_unsigned(129, COLUMNS, 3, c, b, c);
        in_memory_size(ROWS, COLUMNS, INNER, c, b, c);
    }
    show(c, ROWS * COLUMNS);
    mixed_size(1, 1, 2, a, b, c);
    show(c, 1);
    return 0;
}
