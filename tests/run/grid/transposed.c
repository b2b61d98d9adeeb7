// Nests that access arrays along the columns, in three types of index: their blocks have fewer columns and more rows. With numbers of
// rows and columns that do not fill blocks of any shape.
#include <stdio.h>
#include <stdlib.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f##_, SUFFIX)

static void show(const double *x, long n)
{
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += x[k] * (double)(k % 7 + 1);
    printf("%.17g %.17g\n", sum, x[n - 1]);
}

#define I int
#define SUFFIX int
#include "transposed.h"
#undef I
#undef SUFFIX
#define I unsigned
#define SUFFIX unsigned
#include "transposed.h"
#undef I
#undef SUFFIX
#define I size_t
#define SUFFIX size
#include "transposed.h"

int main(void)
{
    all_int(1, 1);
    all_int(200, 200);
    all_int(33, 129);
    all_unsigned(5, 190);
    all_unsigned(190, 5);
    all_size(64, 96);
    all_size(127, 7);
    return 0;
}
