// Depths from two pictures of 640 x 480 bytes by semi-global matching with 64 disparities: costs are differing bits of what each pixel is
// brighter than, the cheapest ways to a pixel from four sides follow one another along its rows and columns, the best sum is the disparity.
#include "../kernels.h"
#include <limits.h>
#include <stddef.h>

enum { WIDTH = 640, HEIGHT = 480, DEPTHS = 64, SMALL = 3, LARGE = 20 };

#if SPELLING == 1
static void compare(int wide, int high, const unsigned char *restrict picture, unsigned char *restrict bits)
{
#pragma acc parallel loop collapse(2) present(picture[0:wide * high], bits[0:wide * high])
#pragma omp parallel for
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            int word = 0;
            if (x > 0 && x < wide - 1 && y > 0 && y < high - 1)
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if (dx != 0 || dy != 0)
                            word = word << 1 | (picture[(y + dy) * wide + x + dx] > picture[y * wide + x]);
            bits[y * wide + x] = word;
        }
}

// Along `lines` lines of `length` pixels: pixel k of line l is at first + l * line + k * step.
static void paths(int all, int lines, int length, int first, int line, int step, const unsigned char *restrict cost, unsigned short *restrict sum)
{
#pragma acc parallel loop gang vector_length(DEPTHS) present(cost[0:all * DEPTHS], sum[0:all * DEPTHS])
#pragma omp parallel for
    for (int l = 0; l < lines; l++) {
        int before[DEPTHS], now[DEPTHS], least = 0;
#pragma acc loop vector
        for (int d = 0; d < DEPTHS; d++)
            before[d] = 0;
#pragma acc loop seq
        for (int k = 0; k < length; k++) {
            int at = (first + l * line + k * step) * DEPTHS, next = 1 << 20;
#pragma acc loop vector reduction(min : next)
            for (int d = 0; d < DEPTHS; d++) {
                int best = before[d];
                if (d > 0 && before[d - 1] + SMALL < best)
                    best = before[d - 1] + SMALL;
                if (d < DEPTHS - 1 && before[d + 1] + SMALL < best)
                    best = before[d + 1] + SMALL;
                if (least + LARGE < best)
                    best = least + LARGE;
                now[d] = cost[at + d] + best - least;
                next = now[d] < next ? now[d] : next;
                sum[at + d] += now[d];
            }
#pragma acc loop vector
            for (int d = 0; d < DEPTHS; d++)
                before[d] = now[d];
            least = next;
        }
    }
}

static void match(int wide, int high, const unsigned char *left, const unsigned char *right, unsigned char *lbits, unsigned char *rbits,
                  unsigned char *restrict cost, unsigned short *restrict sum, unsigned char *restrict depth)
{
    int all = wide * high;
    compare(wide, high, left, lbits);
    compare(wide, high, right, rbits);
#pragma acc parallel loop collapse(3) present(lbits[0:all], rbits[0:all], cost[0:all * DEPTHS], sum[0:all * DEPTHS])
#pragma omp parallel for collapse(2)
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++)
            for (int d = 0; d < DEPTHS; d++) {
                int other = x >= d ? x - d : 0;
                cost[(y * wide + x) * DEPTHS + d] = __builtin_popcount(lbits[y * wide + x] ^ rbits[y * wide + other]);
                sum[(y * wide + x) * DEPTHS + d] = 0;
            }
    paths(all, high, wide, 0, wide, 1, cost, sum);
    paths(all, high, wide, wide - 1, wide, -1, cost, sum);
    paths(all, wide, high, 0, 1, wide, cost, sum);
    paths(all, wide, high, (high - 1) * wide, 1, -wide, cost, sum);
#pragma acc parallel loop present(sum[0:all * DEPTHS], depth[0:all])
#pragma omp parallel for
    for (int p = 0; p < all; p++) {
        int best = 0;
        for (int d = 1; d < DEPTHS; d++)
            if (sum[p * DEPTHS + d] < sum[p * DEPTHS + best])
                best = d;
        depth[p] = best;
    }
}
#else
typedef unsigned char byte;

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define BRIGHTER(dy, dx) (unsigned)(p[(ptrdiff_t)(dy) * (ptrdiff_t)wide + (dx)] > *p)

static byte census(const byte *p, size_t wide)
{
    return BRIGHTER(-1, -1) << 7 | BRIGHTER(-1, 0) << 6 | BRIGHTER(-1, 1) << 5 | BRIGHTER(0, -1) << 4 | BRIGHTER(0, 1) << 3 |
           BRIGHTER(1, -1) << 2 | BRIGHTER(1, 0) << 1 | BRIGHTER(1, 1);
}

// The step of one lane.
#pragma acc routine seq
static int reach(const unsigned short *before, int least, size_t d)
{
    int best = MIN(before[d], least + LARGE);
    if (d != 0)
        best = MIN(best, before[d - 1] + SMALL);
    if (d != DEPTHS - 1)
        best = MIN(best, before[d + 1] + SMALL);
    return best - least;
}

// From a pixel to the next by `step`, with two rows of sums of ways that take turns.
static void paths(size_t lines, size_t length, byte (*cost)[DEPTHS], unsigned short (*sum)[DEPTHS], ptrdiff_t line, ptrdiff_t step, ptrdiff_t first)
{
    size_t all = lines * length;
#pragma acc parallel num_gangs(lines) num_workers(1) vector_length(64) async present(cost[0:all], sum[0:all])
    {
        unsigned short way[2][DEPTHS];
#pragma acc loop gang private(way)
#pragma omp parallel for private(way)
        for (size_t l = 0; l < lines; ++l) {
            ptrdiff_t at = first + (ptrdiff_t)l * line;
            int least = 0;
#pragma acc loop vector
            for (size_t d = 0; d < DEPTHS; ++d)
                way[0][d] = 0;
            for (size_t k = 0; k < length; ++k, at += step) {
                int next = 1 << 20;
#pragma acc loop vector reduction(min : next)
                for (size_t d = 0; d < DEPTHS; ++d) {
                    int here = cost[at][d] + reach(way[k % 2], least, d);
                    way[(k + 1) % 2][d] = here;
                    sum[at][d] += here;
                    next = MIN(next, here);
                }
                least = next;
            }
        }
    }
}

static void match(size_t wide, size_t high, byte *left, byte *right, byte *lbits, byte *rbits, byte *costs, unsigned short *sums, byte *depth)
{
    size_t all = wide * high;
    byte(*cost)[DEPTHS] = (byte(*)[DEPTHS])costs;
    unsigned short(*sum)[DEPTHS] = (unsigned short(*)[DEPTHS])sums;
#pragma acc data present(left[0:all], right[0:all], lbits[0:all], rbits[0:all], cost[0:all], sum[0:all], depth[0:all])
    {
#pragma acc kernels loop independent async
#pragma omp parallel for
        for (size_t p = 0; p < all; ++p) {
            size_t x = p % wide, y = p / wide;
            int inside = x != 0 && y != 0 && x != wide - 1 && y != high - 1;
            lbits[p] = inside ? census(&left[p], wide) : 0;
            rbits[p] = inside ? census(&right[p], wide) : 0;
        }
#pragma acc parallel loop gang async
#pragma omp parallel for
        for (size_t p = 0; p < all; ++p) {
            size_t x = p % wide;
#pragma acc loop vector
            for (size_t d = 0; d < DEPTHS; ++d) {
                cost[p][d] = (byte)__builtin_popcount(lbits[p] ^ rbits[p - MIN(d, x)]);
                sum[p][d] = 0;
            }
        }
        paths(high, wide, cost, sum, wide, 1, 0);
        paths(high, wide, cost, sum, wide, -1, wide - 1);
        paths(wide, high, cost, sum, 1, wide, 0);
        paths(wide, high, cost, sum, 1, -(ptrdiff_t)wide, (high - 1) * wide);
#pragma acc parallel loop gang vector async
#pragma omp parallel for
        for (size_t p = 0; p < all; ++p) {
            unsigned best = UINT_MAX;
            for (unsigned d = 0; d < DEPTHS; ++d)
                best = MIN(best, (unsigned)sum[p][d] << 8 | d);
            depth[p] = (byte)best;
        }
#pragma acc wait
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int shift = (args.shift + 1) / 2, wide = WIDTH >> shift, high = HEIGHT >> shift, all = wide * high;
    unsigned char *left = NEW(unsigned char, all), *right = NEW(unsigned char, all), *lbits = NEW(unsigned char, all);
    unsigned char *rbits = NEW(unsigned char, all), *cost = NEW(unsigned char, all *DEPTHS), *depth = NEW(unsigned char, all);
    unsigned short *sums = NEW(unsigned short, all *DEPTHS);
    double sum = 0;
    // What the left sees at x, the right sees at less: nearer in the middle rows.
    for (int p = 0; p < all; p++) {
        int x = p % wide, y = p / wide, away = y > high / 3 && y < high / 2 ? 17 : 5 + x * 8 / wide;
        right[p] = mix(p) % 200 + mix(x / 8 + y / 8 * 1000) % 50;
        left[p] = x >= away ? mix(p - away) % 200 + mix((x - away) / 8 + y / 8 * 1000) % 50 : 0;
    }
#pragma acc enter data copyin(left[0:all], right[0:all]) create(lbits[0:all], rbits[0:all], cost[0:all * DEPTHS], sums[0:all * DEPTHS], depth[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        match(wide, high, left, right, lbits, rbits, cost, sums, depth);
#pragma acc update self(depth[0:all], sums[0:all * DEPTHS])
    for (int p = 0; p < all; p++)
        sum += depth[p] * (1 + p % 7) + 1e-2 * sums[p * DEPTHS + depth[p]];
    report("stereo", t.best, sum);
    return 0;
}
