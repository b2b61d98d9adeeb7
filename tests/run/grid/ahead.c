// Loops down columns of which there are few: other warps load them ahead, and the first one computes in order. Indices of four types,
// sizes around those of blocks and tiles, loops that do not run, and results that are in the columns.
#include <stddef.h>
#include <stdio.h>

enum { MOST = 26000, COLUMNS = 200 };

static double numbers[MOST], factors[1000], results[COLUMNS];
static float reals[MOST], means[COLUMNS], mosts[COLUMNS];
static short weights[MOST];
static int whole[MOST], sums[MOST];

static void start(void)
{
    for (int k = 0; k < MOST; k++) {
        numbers[k] = k % 37 * 0.125 - 2;
        reals[k] = (float)(k * 7 % 41) * 0.25f;
        weights[k] = (short)(k % 5);
        whole[k] = k * 3 % 11 - 4;
        sums[k] = -1;
    }
    for (int k = 0; k < 1000; k++)
        factors[k] = k % 13 * 0.125 - 0.5;
    for (int k = 0; k < COLUMNS; k++)
        results[k] = means[k] = mosts[k] = -1;
}

static void show(const char *name, const char *what)
{
    double a = 0, b = 0, c = 0, d = 0;
    for (int k = 0; k < COLUMNS; k++)
        a += results[k] * (k % 7 + 1), b += means[k] * (k % 5 + 1), c += mosts[k] * (k % 3 + 1);
    for (int k = 0; k < MOST; k++)
        a += numbers[k] * (k % 9), d += sums[k] * (k % 13) + whole[k] % 5;
    printf("%s %s %a %a %a %g\n", name, what, a, b, c, d);
}

#define I int
#define NAME(f) f##_int
#include "ahead.h"
#define I unsigned
#define NAME(f) f##_unsigned
#include "ahead.h"
#define I long
#define NAME(f) f##_long
#include "ahead.h"
#define I size_t
#define NAME(f) f##_size_t
#include "ahead.h"

int main(void)
{
    all_int("int");
    all_unsigned("unsigned");
    all_long("long");
    all_size_t("size_t");
    return 0;
}
