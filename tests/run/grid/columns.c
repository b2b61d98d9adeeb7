// Nests in which loads depend on the row or on the column, in three types of index: threads of a covering grid do several rows and columns
// where there are enough of them, also at the ends of rows and columns. Some of it has to be done by each row, each column or each
// element for itself.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1027, COLUMNS = 1030, INNER = 5 };
static double a[ROWS * COLUMNS], b[ROWS * COLUMNS], c[ROWS * COLUMNS];

#define NESTS "columns.h"
#include "indices.h"

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
