// Nests whose columns go along rows of an array, as in products with a transposed matrix: the lanes of a block move these rows. Indices of
// four types; sizes around those of blocks, and of what is moved at a time; few rows, columns and iterations; a nest with enough elements for
// threads that have several rows and columns.
#include <stddef.h>
#include <stdio.h>

enum { MOST = 600 * 600 };

static double numbers[MOST], factors[MOST], results[MOST];
static float reals[MOST], sizes_of[MOST];
static short shorts[MOST];

static void start(void)
{
    for (int k = 0; k < MOST; k++) {
        numbers[k] = k % 37 * 0.125 - 2;
        factors[k] = k % 29 * 0.25 - 3;
        reals[k] = (float)(k * 7 % 41) * 0.25f;
        results[k] = k % 11;
        sizes_of[k] = -1;
        shorts[k] = -2;
    }
}

static void show(const char *name, const char *what)
{
    double a = 0, b = 0, c = 0;
    for (int k = 0; k < MOST; k++)
        a += results[k] * (k % 7 + 1), b += sizes_of[k] * (k % 5 + 1), c += shorts[k] * (k % 3 + 1.0);
    printf("%s %s %.17g %.17g %g\n", name, what, a, b, c);
}

#define I int
#define NAME(f) f##_int
#include "lines.h"
#define I unsigned
#define NAME(f) f##_unsigned
#include "lines.h"
#define I long
#define NAME(f) f##_long
#include "lines.h"
#define I size_t
#define NAME(f) f##_size_t
#include "lines.h"

int main(void)
{
    all_int("int");
    all_unsigned("unsigned");
    all_long("long");
    all_size_t("size_t");
    start();
    product_int(521, 530, 35, numbers, factors, results);
    updated_int(521, 530, 19, numbers, factors, results);
    show("many", "elements");
    product_unsigned(512, 640, 16, numbers, factors, results);
    updated_long(67, 5000, 18, numbers, factors, results);
    triangle_int(600, 20, numbers, factors, results);
    batched_int(4, 130, 150, 17, numbers, factors, results);
    show("more", "elements");
    batched_long(2, 300, 600, 17, numbers, factors, results);
    nearest_int(515, 600, 17, reals, reals + 50, sizes_of, shorts);
    show("many", "elements");
    return 0;
}
