// Nests with few columns, whose number is a constant, in three types of index: a block has more rows then. And loops of one
// dimension with long iterations, whose blocks are small.
// launches: 43
#include <stdio.h>
#include <stdlib.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f##_, SUFFIX)

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

static void show(const double *x, long n)
{
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += x[k] * (k % 7 + 1);
    printf("%.17g %.17g\n", sum, x[n - 1]);
}

#define I int
#define SUFFIX int
#include "narrow.h"
#undef I
#undef SUFFIX
#define I unsigned
#define SUFFIX unsigned
#include "narrow.h"
#undef I
#undef SUFFIX
#define I size_t
#define SUFFIX size
#include "narrow.h"
#undef I
#undef SUFFIX

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
