// A Voronoi diagram of 4096 sites in a picture of 2048 x 2048 points by jump flooding: eleven rounds, in which
// each point takes the nearest of the sites that nine points at half the distance of the round before know; ints.
#include "../kernels.h"

enum { SIDE = 2048, SITES = 4096 };

#if SPELLING == 1
static void flood(int side, const int *restrict seeds, int *restrict first, int *restrict second,
                  int *restrict distance)
{
    int points = side * side;
    const int *from = seeds;
    int *to = first;
    for (int step = side / 2; step >= 1; step /= 2) {
#pragma acc parallel loop collapse(2) present(from[0:points], to[0:points], distance[0:points])
#pragma omp parallel for
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                int best = -1, least = 2147483647;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        int ny = y + dy * step, nx = x + dx * step;
                        if (ny < 0 || ny >= side || nx < 0 || nx >= side)
                            continue;
                        int site = from[ny * side + nx];
                        if (site < 0)
                            continue;
                        int sy = site / side - y, sx = site % side - x, d = sy * sy + sx * sx;
                        if (d < least) {
                            least = d;
                            best = site;
                        }
                    }
                to[y * side + x] = best;
                if (step == 1)
                    distance[y * side + x] = least;
            }
        from = to;
        to = to == first ? second : first;
    }
}
#else
typedef struct { short x, y; } place;

#define SQUARE(a) ((a) * (a))

static inline int apart(unsigned site, place p, unsigned bits)
{
    return SQUARE((int)(site & ((1u << bits) - 1)) - p.x) + SQUARE((int)(site >> bits) - p.y);
}

static void flood(size_t side, int *seeds, int *first, int *second, int *distance)
{
    size_t points = side * side;
    int *buffer[3] = {seeds, first, second}, step = (int)side;
    unsigned bits = 0, round = 0;
    while (1u << bits < side)
        ++bits;
    while (step >>= 1) {
        int *from = buffer[round ? 1 + (round + 1) % 2 : 0], *to = buffer[1 + round % 2];
        ++round;
#pragma acc parallel loop gang present(from[0:points], to[0:points], distance[0:points])
#pragma omp parallel for
        for (size_t y = 0; y < side; ++y) {
#pragma acc loop vector
            for (size_t x = 0; x < side; ++x) {
                const place here = {(short)x, (short)y};
                int best = -1, least = 0x7fffffff;
                for (long ny = (long)y - step; ny <= (long)y + step; ny += step) {
                    if (ny < 0 || ny >= (long)side)
                        continue;
                    const int *row = from + ny * side;
                    for (long nx = (long)x - step; nx <= (long)x + step; nx += step)
                        if (nx >= 0 && nx < (long)side && row[nx] >= 0) {
                            int d = apart((unsigned)row[nx], here, bits);
                            if (d < least)
                                best = row[nx], least = d;
                        }
                }
                to[y * side + x] = best;
                if (step == 1)
                    distance[y * side + x] = least;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> args.shift / 2, points = side * side;
    int *seeds = NEW(int, points), *first = NEW(int, points), *second = NEW(int, points), *distance = NEW(int, points);
    double sum = 0;
    for (int k = 0; k < points; k++)
        seeds[k] = -1;
    for (int k = 0; k < SITES >> args.shift; k++) {
        int at = mix(k) % points;
        seeds[at] = at;
    }
#pragma acc enter data copyin(seeds[0:points]) create(first[0:points], second[0:points], distance[0:points])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        flood(side, seeds, first, second, distance);
#pragma acc update self(distance[0:points])
    SUM(sum, distance, points);
    report("jumpflood", t.best, sum);
    return 0;
}
