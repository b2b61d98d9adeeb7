// Loops in which each lane reads and writes a row of its own, which all lanes of a block move. Indices of four types, sizes around
// those of blocks and of what is moved at a time, loops that do not run, and results that are in what is read.
#include <stddef.h>
#include <stdio.h>

enum { MOST = 20000, ROWS = 300 };

static double numbers[MOST], factors[128], results[MOST];
static float reals[MOST];
static short shorts[MOST];
static int whole[MOST], sums[MOST], last[ROWS];

static void start(void)
{
    for (int k = 0; k < MOST; k++) {
        numbers[k] = k % 37 * 0.125 - 2;
        reals[k] = (float)(k * 7 % 41) * 0.25f;
        shorts[k] = -1;
        whole[k] = k * 3 % 11 - 4;
        sums[k] = -1;
        results[k] = -1;
    }
    for (int k = 0; k < 128; k++)
        factors[k] = k % 13 * 0.125 - 0.5;
    for (int k = 0; k < ROWS; k++)
        last[k] = k % 6;
}

static void show(const char *name, const char *what)
{
    double a = 0, b = 0, c = 0, d = 0;
    for (int k = 0; k < MOST; k++)
        a += results[k] * (k % 7 + 1), b += shorts[k] * (k % 5 + 1), c += whole[k] * (k % 3 + 1.0), d += sums[k] * (k % 13 + 1.0);
    for (int k = 0; k < ROWS; k++)
        d += last[k] * (k % 9);
    printf("%s %s %a %g %.17g %.17g\n", name, what, a, b, c, d);
}

#define I int
#define NAME(f) f##_int
#include "own_rows.h"
#define I unsigned
#define NAME(f) f##_unsigned
#include "own_rows.h"
#define I long
#define NAME(f) f##_long
#include "own_rows.h"
#define I size_t
#define NAME(f) f##_size_t
#include "own_rows.h"

int main(void)
{
    all_int("int");
    all_unsigned("unsigned");
    all_long("long");
    all_size_t("size_t");
    return 0;
}
