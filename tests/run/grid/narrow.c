// Nests with few columns, whose number is a constant, in three types of index: a block has more rows then. And loops of one
// dimension with long iterations, whose blocks are small.
// launches: 43
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 70000 * 8 };
static double a[MOST], b[MOST], c[MOST];

static void fill(void)
{
    for (int k = 0; k < MOST; k++) {
        a[k] = (k * 37 + 11) % 101;
        b[k] = 0.25 * (k % 1003);
        c[k] = k % 17;
    }
}

#define NESTS "narrow.h"
#include "indices.h"

int main(void)
{
    all_int(20);
    all_unsigned(1);
    all_size(33);
    all_int(7);
    all_unsigned(40);
    all_size(2);
    table_size(70000, a, c);
    show(c, 70000 * 8);
    return 0;
}
