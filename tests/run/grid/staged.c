// Loops in which all lanes read the same elements, in four types of index: the lanes load them together. With numbers of iterations
// below, at and above what is loaded at a time, and of lanes that do not fill a block.
// option-sets: in_order.options
#include <stdio.h>
#include <stdlib.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f##_, SUFFIX)

static void show(const float *x, long n)
{
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += x[k] * (double)(k % 7 + 1);
    printf("%.9g %.9g\n", sum, n ? x[n - 1] : 0);
}

static void show_doubles(const double *x, long n)
{
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += x[k] * (double)(k % 7 + 1);
    printf("%.17g %.17g\n", sum, n ? x[n - 1] : 0);
}

#define I int
#define SUFFIX int
#include "staged.h"
#undef I
#undef SUFFIX
#define I unsigned
#define SUFFIX unsigned
#include "staged.h"
#undef I
#undef SUFFIX
#define I size_t
#define SUFFIX size
#include "staged.h"
#undef I
#undef SUFFIX
#define I long
#define SUFFIX long
#include "staged.h"

int main(void)
{
    all_int(1, 1);
    all_int(1, 130);
    all_int(129, 0);
    all_int(127, 127);
    all_int(128, 128);
    all_unsigned(1000, 129);
    all_unsigned(5, 256);
    all_size(300, 300);
    all_size(1, 5);
    all_long(1025, 511);
    return 0;
}
