// Sequential loops that load what the iteration before has stored, in three types of index: arrays that are the same, overlap or do not,
// no iterations and one, both directions, steps that are zero.
#include <stdio.h>
#include <stdlib.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f##_, SUFFIX)

enum { MOST = 40 * 41 };
static double a[MOST], x[MOST], y[MOST];
static int q[MOST];
static short w[MOST];

static void fill(void)
{
    for (int k = 0; k < MOST; k++) {
        a[k] = (k * 37 + 11) % 101 / 101.0;
        x[k] = 0.25 * (k % 103);
        y[k] = k % 29 - 14;
        q[k] = k % 7;
        w[k] = (short)(k % 5);
    }
}

static void show(void)
{
    double sum = 0;
    long count = 0;
    for (int k = 0; k < MOST; k++) {
        sum += x[k] * (k % 7 + 1) - y[k] * (k % 5 + 1) + a[k];
        count += (long)q[k] % 1000 * (k % 3 + 1) + w[k];
    }
    printf("%.12g %ld\n", sum, count);
    fill();
}

#define I int
#define SUFFIX int
#include "recurrences.h"
#undef I
#undef SUFFIX
#define I unsigned
#define SUFFIX unsigned
#include "recurrences.h"
#undef I
#undef SUFFIX
#define I size_t
#define SUFFIX size
#include "recurrences.h"
#undef I
#undef SUFFIX

int main(void)
{
    static const int sides[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {9, 5}, {33, 40}};
    for (int k = 0; k < 6; k++) {
        int n = sides[k][0], m = sides[k][1];
        all_int(n, m);
        all_unsigned(n, m);
        all_size(n, m);
    }
    return 0;
}
