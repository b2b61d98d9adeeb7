// Loops of few iterations, each of them long, in three types of index: a covering grid has few gangs then. Every sum is added up in
// order, so that the results are the same bits whatever runs.
// option-sets: in_order.options
#include <stdio.h>
#include <stdlib.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f##_, SUFFIX)

enum { MOST = 140000 };
static double a[MOST], b[MOST];

static void show(const char *what, long n, long m)
{
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += b[k] * (k % 7 + 1);
    printf("%s %ld %ld: %.17g %.17g\n", what, n, m, sum, b[n - 1]);
}

#define I int
#define SUFFIX int
#include "few.h"
#undef I
#undef SUFFIX
#define I unsigned
#define SUFFIX unsigned
#include "few.h"
#undef I
#undef SUFFIX
#define I size_t
#define SUFFIX size
#include "few.h"

int main(void)
{
    for (int k = 0; k < MOST; k++)
        a[k] = (k * 37 + 11) % 101 * 0.37;
    all_int();
    all_unsigned();
    all_size();
    return 0;
}
