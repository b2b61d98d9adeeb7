// Loops that the grid of a GPU can cover, in three types of index: trip counts from 0 on, steps, nests of several levels and
// dimensions, grids that the user chooses, queues. The results do not depend on the version of the kernel that runs.
// launches: 100
#include <stdio.h>
#include <stdlib.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(f) PASTE(f##_, SUFFIX)

#define I int
#define SUFFIX int
#include "nests.h"
#undef I
#undef SUFFIX
#define I unsigned
#define SUFFIX unsigned
#include "nests.h"
#undef I
#undef SUFFIX
#define I size_t
#define SUFFIX size
#include "nests.h"
#undef I
#undef SUFFIX

enum { MOST = 70 * 130 };
static double a[MOST], b[MOST];
static int c[1 << 16];

static void fill(void)
{
    for (int k = 0; k < MOST; k++) {
        a[k] = (k * 37 + 11) % 101;
        b[k] = 0.25 * k;
    }
    for (int k = 0; k < 1 << 16; k++)
        c[k] = k % 13;
}

static void show(const char *what, long n, long m)
{
    double sum = 0;
    for (int k = 0; k < MOST; k++)
        sum += a[k] * (k % 7) + b[k] * (k % 11);
    long long count = 0;
    for (int k = 0; k < 1 << 16; k++)
        count += (long long)c[k] * (k % 17);
    printf("%s %ld %ld: %.6f %lld\n", what, n, m, sum, count);
    fill();
}

#define ALL(suffix)                                                                                                    \
    static void all_##suffix(void)                                                                                     \
    {                                                                                                                  \
        static const int lengths[] = {0, 1, 2, 31, 32, 33, 63, 255, 257, 1000};                                       \
        for (int k = 0; k < 10; k++) {                                                                                 \
            int n = lengths[k];                                                                                        \
            row_##suffix(n, a);                                                                                        \
            show("row", n, 0);                                                                                         \
            falling_##suffix(n / 3 * 3, c);                                                                            \
            show("falling", n, 0);                                                                                     \
        }                                                                                                              \
        static const int planes[][2] = {{1, 1}, {1, 9}, {9, 1}, {3, 130}, {70, 3}, {8, 32}, {17, 33}, {70, 130}, {65, 97}}; \
        for (int k = 0; k < 9; k++) {                                                                                  \
            int n = planes[k][0], m = planes[k][1];                                                                    \
            plane_##suffix(n, m, a, b);                                                                                \
            show("plane", n, m);                                                                                       \
            asked_##suffix(n, m, c);                                                                                   \
            show("asked", n, m);                                                                                       \
            queued_##suffix(n, m, c);                                                                                  \
            show("queued", n, m);                                                                                      \
            levels_##suffix(n, 2, m, c);                                                                               \
            show("levels", n, m);                                                                                      \
            levels_##suffix(2, n, m, c);                                                                               \
            show("levels", n, m);                                                                                      \
        }                                                                                                              \
        static const int sides[][2] = {{0, 0}, {0, 5}, {1, 1}, {2, 1}, {9, 40}, {33, 20}, {40, 40}};                   \
        for (int k = 0; k < 7; k++) {                                                                                  \
            int n = sides[k][0], m = sides[k][1];                                                                      \
            triangle_##suffix(3 * n, c);                                                                               \
            show("triangle", 3 * n, 0);                                                                                \
            slopes_##suffix(n * 3 / 5, m, c);                                                                          \
            show("slopes", n, m);                                                                                      \
        }                                                                                                              \
        four_##suffix(3, 33, c);                                                                                       \
        show("four", 3, 33);                                                                                           \
        four_##suffix(8, 32, c);                                                                                       \
        show("four", 8, 32);                                                                                           \
        levels_##suffix(3, 23, 126, c);                                                                                \
        show("levels", 3, 23);                                                                                         \
        four_##suffix(0, 8, c);                                                                                        \
        show("four", 0, 8);                                                                                            \
    }
ALL(int)
ALL(unsigned)
ALL(size)

int main(void)
{
    fill();
    all_int();
    all_unsigned();
    all_size();
    plane_int(5, 0, a, b);
    show("plane", 5, 0);
    return 0;
}
