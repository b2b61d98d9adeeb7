// Nests whose work is in a condition: triangles, insides of edges with and without something else at the edges, conditions that hold for
// some rows of a thread only, in three types of index. Where it holds for all rows and columns of a thread, they are done together.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1027, COLUMNS = 1030, INNER = 5 };
static double a[ROWS * COLUMNS], b[ROWS * COLUMNS], c[ROWS * COLUMNS];

#define NESTS "guarded.h"
#include "indices.h"

int main(void)
{
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        a[k] = (k * 37 + 11) % 101;
        b[k] = 0.25 * (k % 1003);
        c[k] = k % 3;
    }
    triangle_int(ROWS, INNER, a, b, c);
    show(c, ROWS * ROWS);
    triangle_size(ROWS, INNER, a, b, c);
    show(c, ROWS * ROWS);
    skipped_unsigned(ROWS, COLUMNS, INNER, a, b, c);
    show(c, ROWS * COLUMNS);
    skipped_size(ROWS, COLUMNS, INNER, a, b, c);
    show(c, ROWS * COLUMNS);
    inside_int(ROWS, COLUMNS, 2, a, b, c);
    show(c, ROWS * COLUMNS);
    inside_unsigned(ROWS, COLUMNS, 1, a, b, c);
    show(c, ROWS * COLUMNS);
    some_int(ROWS, COLUMNS, INNER, a, b, c);
    show(c, ROWS * COLUMNS);
    some_size(ROWS, COLUMNS, INNER, a, b, c);
    show(c, ROWS * COLUMNS);
    return 0;
}
