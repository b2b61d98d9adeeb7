// Rows that several vector loops of a gang go along, which lanes keep in registers: indices of four types, rows of no elements, of those
// around what lanes have room for and of more; what is written in between, or may be, by the same iteration, by others and by the gang.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum { MOST = 20480, ROWS = 8 };

static double x[MOST], y[MOST], z[MOST], sums[2 * ROWS];
static short shorts[MOST];
static int whole[MOST];

static void start(void)
{
    for (int k = 0; k < MOST; k++) {
        x[k] = k * 7 % 41 * 0.25;
        y[k] = k * 5 % 17 + 1;
        z[k] = -1;
        shorts[k] = (short)(k % 23 - 9);
        whole[k] = k * 3 % 11 + 1;
    }
    for (int k = 0; k < 2 * ROWS; k++)
        sums[k] = 0;
}

static void show(const char *name, long rows, long n)
{
    double a = 0, b = 0, c = 0, d = 0;
    for (int k = 0; k < MOST; k++)
        a += x[k] * (k % 7 + 1), b += y[k] * (k % 5 + 1), c += z[k] * (k % 3 + 1), d += shorts[k] * (k % 13) + whole[k] * (k % 11);
    for (int k = 0; k < 2 * ROWS; k++)
        d += sums[k] * (k + 1);
    printf("%s %ld x %ld: %.17g %.17g %.17g %.17g\n", name, rows, n, a, b, c, d);
}

#define I int
#define NAME(f) f##_int
#include "kept_rows.h"
#define I unsigned
#define NAME(f) f##_unsigned
#include "kept_rows.h"
#define I long
#define NAME(f) f##_long
#include "kept_rows.h"
#define I size_t
#define NAME(f) f##_size_t
#include "kept_rows.h"

int main(void)
{
    static const int lengths[] = {0, 1, 31, 33, 127, 129, 500, 512, 513, 1024, 1025, 2048, 2049, 5000};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        all_int(lengths[k]);
        if (k % 3 == 1)
            all_unsigned((unsigned)lengths[k]);
        if (k % 3 == 2)
            all_long(lengths[k]);
        if (k % 2 == 1)
            all_size_t((size_t)lengths[k]);
    }
    return 0;
}
