// Nests whose rows load the same elements, in three types of index: threads of a covering grid do several rows, where
// there are enough of them. With rows that are not a multiple of what a thread does, with few, and with nests that have to
// be left alone.
// launches: 33
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 515, COLUMNS = 1030, INNER = 9 };
static double a[ROWS * COLUMNS], b[ROWS * COLUMNS], c[ROWS * COLUMNS], w[16];

static void fill(void)
{
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        a[k] = (k * 37 + 11) % 101;
        b[k] = 0.25 * (k % 1003);
        c[k] = k;
    }
    for (int k = 0; k < 16; k++)
        w[k] = 0.5 * k - 1;
}

#define NESTS "rows.h"
#include "indices.h"

int main(void)
{
    fill();
    product_int(ROWS, COLUMNS, INNER, a, b, c);
    show(c, ROWS * COLUMNS);
    product_unsigned(ROWS, COLUMNS, 3, a, b, c);
    show(c, ROWS * COLUMNS);
    pointers_size(ROWS, COLUMNS, 4, a, b, c);
    show(c, ROWS * COLUMNS);
    window_unsigned(ROWS, COLUMNS, a, w, c);
    show(c, ROWS * COLUMNS);
    edges_size(ROWS, COLUMNS, a, c);
    show(c, ROWS * COLUMNS);
    turned_int(ROWS, COLUMNS, a, c);
    show(c, ROWS * COLUMNS);
    turned_unsigned(COLUMNS, ROWS, a, c);
    show(c, ROWS * COLUMNS);
    turned_size(ROWS - 2, COLUMNS - 1, a, c);
    show(c, (ROWS - 2) * (COLUMNS - 1));
    window_size(ROWS, COLUMNS, b, w, c);
    show(c, ROWS * COLUMNS);
    all_int(130, 97);
    all_unsigned(3, 32);
    all_size(2, 2);
    return 0;
}
